// The recording, or where there is none to play, a clock that can be set.

class Player {
  constructor(screen) {
    this.listeners = [];
    this.rest = 0;
    this.sources = [...data.media.sources];
    this.media = data.media.kind ? make(data.media.kind, { controls: true, preload: "metadata", "aria-label": "The recording" }) : null;
    screen.classList.toggle("sound", data.media.kind === "audio");
    screen.hidden = !this.media;
    if (this.media) this.attach(screen);
  }

  attach(screen) {
    screen.append(this.media);
    this.media.addEventListener("error", () => this.tryNext(screen));
    this.media.addEventListener("loadedmetadata", () => {
      screen.classList.add("ready");
      if (this.rest) this.media.currentTime = this.rest;
    });
    for (const name of ["seeking", "timeupdate", "pause", "play"]) this.media.addEventListener(name, () => this.tell());
    this.media.addEventListener("play", () => this.follow());
    this.addCaptions();
    this.tryNext(screen);
  }

  /** For the browser's own subtitles button: a cue's text is markup, so that what was said is escaped. */
  addCaptions() {
    if (data.media.kind !== "video" || !data.sentences.length) return;
    const track = this.media.addTextTrack("captions", "Transcript");
    const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    for (const [start, end, text] of data.sentences) track.addCue(new VTTCue(start, Math.max(end, start + 0.001), escaped(text)));
  }

  /** The recording may lie where it was, or beside the page; else the reader can show where. */
  tryNext(screen) {
    const next = this.sources.shift();
    if (next !== undefined) {
      this.media.src = next;
      return;
    }
    if (screen.querySelector(".missing")) return;
    const file = make("input", { type: "file", accept: "video/*,audio/*", class: "hidden" });
    file.addEventListener("change", () => {
      if (!file.files.length) return;
      this.media.src = URL.createObjectURL(file.files[0]);
      screen.querySelector(".missing").remove();
    });
    const words = make("p", {}, "The recording is not beside this page, or the browser cannot play it. All else works without.");
    screen.append(make("div", { class: "missing" }, words, make("label", { class: "button" }, "Choose the recording…", file)));
  }

  get ready() { return Boolean(this.media) && this.media.readyState > 0; }
  get playing() { return this.ready && !this.media.paused; }

  /** In whole milliseconds, as all times of the page: a browser may come out a hair before where it was sent. */
  get time() { return this.ready ? Math.min(Math.round(this.media.currentTime * 1000) / 1000, data.duration) : this.rest; }

  seek(time) {
    this.rest = clamp(time, 0, data.duration);
    if (this.ready) this.media.currentTime = this.rest;
    this.tell();
  }

  toggle() {
    if (!this.ready) return;
    if (this.media.paused) this.media.play().catch(() => this.tell());
    else this.media.pause();
  }

  onTime(listener) { this.listeners.push(listener); }
  tell() { for (const listener of this.listeners) listener(this.time, this.playing); }

  /** While it plays, every picture: the browser's own time updates come four times a second. */
  follow() {
    const step = () => {
      this.tell();
      if (this.playing) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
}
