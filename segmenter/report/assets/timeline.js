// The canvas with all lanes: drawn when the window changes; the player's position is an element above it.

const STEPS = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200];
const SLOP = 4; // px: a press that moves less is a click
const WIDE = window.matchMedia("(min-width: 1000px)"); // as in the style sheet: the page fills the screen

class Timeline {
  constructor(player) {
    this.player = player;
    this.view = new TimeWindow();
    this.box = byId("lanes");
    this.canvas = byId("canvas");
    this.tip = byId("tip");
    this.shown = new Set(data.chunks.keys());
    this.listen();
    this.resize();
    new ResizeObserver(() => this.resize()).observe(this.box.parentElement);
  }

  // --- drawing

  resize() {
    const scale = window.devicePixelRatio || 1, width = this.box.clientWidth, narrow = width < 560;
    const section = this.box.parentElement;
    const others = [...section.children].filter((child) => child !== this.box && child !== this.tip).reduce((sum, child) => sum + child.offsetHeight, 0);
    Object.assign(this, placedLanes(WIDE.matches ? section.clientHeight - others - 34 : 0, narrow ? 20 : 10));
    this.box.style.height = `${this.height}px`;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(this.height * scale);
    this.view.left = narrow ? 8 : 78;
    this.view.width = width - this.view.left - 8;
    this.draw();
  }

  draw() {
    cancelAnimationFrame(this.waiting);
    this.waiting = requestAnimationFrame(() => this.drawNow());
  }

  drawNow() {
    const ctx = this.canvas.getContext("2d"), scale = window.devicePixelRatio || 1;
    const paint = this.paint();
    ctx.setTransform(scale, 0, 0, scale, 0, 0);
    ctx.clearRect(0, 0, this.box.clientWidth, this.height);
    this.drawRuler(ctx, paint);
    ctx.save();
    ctx.beginPath();
    ctx.rect(this.view.left, 0, this.view.width, this.height);
    ctx.clip();
    for (const lane of this.lanes) lane.draw(ctx, this.view, paint);
    this.drawCuts(ctx, paint);
    ctx.restore();
    if (this.view.left > 20) this.drawNames(ctx, paint);
    else this.drawNamesAbove(ctx, paint);
    this.place(this.player.time);
    byId("overview").firstElementChild.style.cssText = `left:${(this.view.start / this.view.total) * 100}%;width:${(this.view.length / this.view.total) * 100}%`;
  }

  /** The page's colours, for the canvas. */
  paint() {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(`--${name}`).trim();
    const both = [of("talk"), of("event")];
    return {
      shown: this.shown,
      ink: of("ink"), surface: of("surface"), muted: of("muted"), line: of("line"), warning: of("warning"), accent: of("accent"),
      wave: of("wave"), speech: of("talk"), curve: of("accent"), curveFill: of("curve-fill"), eventFill: of("event-tint"),
      kind: (kind) => (kind === "both" ? both : [of(kind), of(kind)]),
      tint: (kind) => of(`${kind}-tint`),
    };
  }

  drawRuler(ctx, paint) {
    const step = STEPS.find((seconds) => (seconds / this.view.length) * this.view.width >= 70) ?? STEPS.at(-1);
    ctx.font = SMALL;
    ctx.textAlign = "center";
    for (let time = Math.ceil(this.view.start / step) * step; time <= this.view.end + 1e-6; time += step) {
      const x = this.view.x(time);
      ctx.fillStyle = paint.line;
      ctx.fillRect(x, RULER - 7, 1, this.height - RULER + 7);
      ctx.fillStyle = paint.muted;
      const label = clock(time, step < 1 ? 1 : 0), half = ctx.measureText(label).width / 2;
      ctx.fillText(label, clamp(x, half, this.box.clientWidth - half), RULER - 11);
    }
    ctx.textAlign = "left";
  }

  drawCuts(ctx, paint) {
    ctx.fillStyle = paint.ink;
    const seen = data.boundaries.filter((cut) => cut.time >= this.view.start && cut.time <= this.view.end);
    const crowded = clamp(this.view.width / seen.length / 14, 0.1, 1); // fainter where lines would hide the lanes
    for (const cut of seen) {
      ctx.globalAlpha = crowded * (0.2 + 0.45 * cut.strength);
      ctx.fillRect(this.view.x(cut.time) - 0.5, RULER, 1, this.height - RULER);
    }
    ctx.globalAlpha = 1;
  }

  drawNames(ctx, paint) {
    ctx.fillStyle = paint.muted;
    ctx.textAlign = "right";
    for (const lane of this.lanes) {
      ctx.font = SMALL;
      const rows = lane.rows ?? [[lane.name, lane.least / 2 - 5]];
      for (const [name, top] of rows) ctx.fillText(fitting(ctx, name, this.view.left - 14), this.view.left - 10, lane.y + top * lane.stretch + 9);
    }
    ctx.textAlign = "left";
  }

  /** Where there is no room beside the lanes. */
  drawNamesAbove(ctx, paint) {
    ctx.font = SMALL;
    for (const lane of this.lanes.slice(1)) {
      const name = lane.rows ? lane.rows.map(([row]) => row).join(", ") : lane.name;
      const text = fitting(ctx, name, this.view.width);
      ctx.fillStyle = paint.surface;
      ctx.fillRect(this.view.left, lane.y - 16, ctx.measureText(text).width + 6, 14);
      ctx.fillStyle = paint.muted;
      ctx.fillText(text, this.view.left, lane.y - 5);
    }
  }

  place(time) {
    const x = this.view.x(time), inside = x >= this.view.left - 1 && x <= this.view.left + this.view.width + 1;
    byId("head").hidden = !inside;
    byId("head").style.transform = `translateX(${x}px)`;
  }

  follow(time, playing) {
    if (playing && !this.dragging && this.view.reach(time)) this.draw();
    this.place(time);
  }

  // --- moving about

  listen() {
    this.box.addEventListener("pointerdown", (event) => this.press(event));
    this.box.addEventListener("pointermove", (event) => this.move(event));
    this.box.addEventListener("pointerup", (event) => this.release(event));
    this.box.addEventListener("pointercancel", () => { this.dragging = null; });
    this.box.addEventListener("pointerleave", () => this.hideTip());
    this.box.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    const overview = byId("overview");
    const jump = (event) => {
      if (event.buttons === 0) return;
      const part = (event.clientX - overview.getBoundingClientRect().left) / overview.clientWidth;
      this.view.show(part * this.view.total - this.view.length / 2);
      this.draw();
    };
    overview.addEventListener("pointerdown", (event) => { overview.setPointerCapture(event.pointerId); jump(event); });
    overview.addEventListener("pointermove", jump);
  }

  point(event) {
    const box = this.box.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  press(event) {
    if (event.button !== 0) return;
    this.box.setPointerCapture(event.pointerId);
    this.dragging = { x: this.point(event)[0], start: this.view.start, moved: false };
  }

  move(event) {
    const [x, y] = this.point(event), drag = this.dragging;
    if (!drag) return this.showTip(x, y, event);
    drag.moved ||= Math.abs(x - drag.x) > SLOP;
    if (!drag.moved || this.view.all) return;
    this.hideTip();
    this.view.show(drag.start - ((x - drag.x) / this.view.width) * this.view.length);
    this.draw();
  }

  release(event) {
    const clicked = this.dragging && (!this.dragging.moved || this.view.all);
    this.dragging = null;
    if (clicked) this.player.seek(this.view.time(this.point(event)[0]));
  }

  wheel(event) {
    if (event.deltaX === 0 && !event.ctrlKey && this.view.all && event.deltaY > 0) return; // let the page scroll
    event.preventDefault();
    const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const delta = clamp(sideways ? event.deltaX || event.deltaY : event.deltaY, -120, 120);
    if (sideways) this.view.show(this.view.start + (delta / this.view.width) * this.view.length);
    else this.view.zoom(1.0025 ** delta, this.view.time(this.point(event)[0]));
    this.draw();
  }

  zoom(factor) {
    const here = this.player.time, middle = this.view.start + this.view.length / 2;
    this.view.zoom(factor, here >= this.view.start && here <= this.view.end ? here : middle);
    this.draw();
  }

  showAll() {
    this.view.show(0, this.view.total);
    this.draw();
  }

  // --- hovering

  showTip(x, y, event) {
    const lines = under(x, y, this.view, this.lanes)?.filter(Boolean);
    this.tip.hidden = !lines;
    if (!lines) return;
    this.tip.replaceChildren(make("b", { dir: "auto" }, lines[0]), ...lines.slice(1).map((line) => make("span", { dir: "auto" }, line)));
    const { offsetWidth: width, offsetHeight: height } = this.tip;
    this.tip.style.left = `${clamp(event.clientX + 14, 8, window.innerWidth - width - 8)}px`;
    const below = event.clientY + 18;
    this.tip.style.top = `${below + height > window.innerHeight - 8 ? event.clientY - height - 12 : below}px`;
  }

  hideTip() { this.tip.hidden = true; }
}

const FONT = "12px system-ui, sans-serif", SMALL = "11px system-ui, sans-serif";

/** The text in up to `most` lines, broken at blanks, the last one cut where it does not fit. */
function inLines(ctx, text, room, most) {
  const words = text.slice(0, 200).split(" "), lines = [];
  while (words.length && lines.length < most - 1) {
    let line = words.shift();
    while (words.length && ctx.measureText(`${line} ${words[0]}`).width <= room) line += ` ${words.shift()}`;
    lines.push(fitting(ctx, line, room));
  }
  return words.length ? [...lines, fitting(ctx, words.join(" "), room)] : lines;
}

/** As much of the text as fits, with a mark where it was cut. */
function fitting(ctx, text, room) {
  let short = text.slice(0, Math.max(1, Math.floor(room / 3)));
  if (short === text && ctx.measureText(text).width <= room) return text;
  while (short && ctx.measureText(short + "…").width > room) short = short.slice(0, -1);
  return short ? short + "…" : "";
}
