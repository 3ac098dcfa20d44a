// Which chunks are listed: by words, kind, label and speaker.

class Filters {
  constructor(onChange) {
    this.onChange = onChange;
    this.kinds = new Set();
    this.texts = data.chunks.map((chunk) => [chunk.title, ...sentenceRange(chunk).map((i) => data.sentences[i][2])].join("\n").toLowerCase());
    byId("search").addEventListener("input", () => this.apply());
    this.makeKinds();
    this.makeChoice("label", "all in view", labels);
    this.makeChoice("speaker", "all speakers", speakers);
  }

  makeKinds() {
    const there = KINDS.filter((kind) => data.chunks.some((chunk) => chunk.kind === kind));
    for (const kind of there) {
      const chip = make("button", { type: "button", class: "chip", "aria-pressed": "false" }, make("i", { class: `dot ${kind}` }), kind);
      chip.addEventListener("click", () => {
        if (!this.kinds.delete(kind)) this.kinds.add(kind);
        chip.setAttribute("aria-pressed", String(this.kinds.has(kind)));
        this.apply();
      });
      byId("kinds").append(chip);
    }
  }

  makeChoice(id, all, names) {
    if (!names.length) return;
    byId(`pick-${id}`).hidden = false;
    byId(id).append(make("option", { value: "" }, all), ...names.map((name) => make("option", { value: name }, name)));
    byId(id).addEventListener("change", () => this.apply());
  }

  get sought() { return byId("search").value.trim().toLowerCase(); }

  matches(i) {
    const chunk = data.chunks[i], label = byId("label").value, speaker = byId("speaker").value;
    return (!this.kinds.size || this.kinds.has(chunk.kind))
      && (!label || chunk.labels.includes(label))
      && (!speaker || chunk.speakers.includes(speaker))
      && (!this.sought || this.texts[i].includes(this.sought));
  }

  apply() {
    const found = [...data.chunks.keys()].filter((i) => this.matches(i));
    const whole = found.length === data.chunks.length;
    byId("count").textContent = whole ? "" : found.length ? `${found.length} of ${data.chunks.length} chunks` : "No chunk fits.";
    this.onChange(found, this.sought);
  }

  clear() {
    byId("search").value = "";
    this.apply();
  }
}
