// The lanes of the timeline: each knows the least height that it needs, and draws itself into what it gets.

const RULER = 24, MOST_ROWS = 5, MOST_STRETCH = 2.2;
const ROW = 9, SPEAKER_ROW = 12; // px, before stretching

const wave = Uint8Array.from(atob(data.waveform), (letter) => letter.charCodeAt(0));

/** The indices of [start, end) spans in order that touch the window. */
function* inView(count, start, end, view) {
  for (let i = Math.max(0, countUntil(count, end, view.start)); i < count && start(i) < view.end; i++) yield i;
}

const width = (view, start, end) => Math.max(1, view.x(end) - view.x(start));

/** Packs spans into as few rows as keep them apart; beyond the most rows they share the last one. */
function packed(spans) {
  const ends = [];
  const rows = spans.map(([start, end]) => {
    let row = ends.findIndex((last) => last <= start);
    if (row < 0) row = Math.min(ends.length, MOST_ROWS - 1);
    ends[row] = Math.max(ends[row] ?? 0, end);
    return row;
  });
  return { rows, count: Math.max(1, ends.length) };
}

const chunkLane = {
  name: "chunks",
  least: 40,
  draw(ctx, view, paint) {
    for (const i of inView(data.chunks.length, (k) => data.chunks[k].start, (k) => data.chunks[k].end, view)) {
      const chunk = data.chunks[i];
      const x = view.x(chunk.start), w = width(view, chunk.start, chunk.end);
      ctx.globalAlpha = paint.shown.has(i) ? 1 : 0.25;
      ctx.fillStyle = paint.tint(chunk.kind);
      ctx.fillRect(x, this.y, w, this.height);
      const [first, second] = paint.kind(chunk.kind);
      ctx.fillStyle = first;
      ctx.fillRect(x, this.y, w, 4);
      ctx.fillStyle = second;
      ctx.fillRect(x, this.y + (first === second ? 0 : 4), w, 4);
      const from = Math.max(x, view.left), room = Math.min(x + w, view.left + view.width) - from - 12;
      if (room > 40) this.drawTitle(ctx, chunk.title, from + 6, room, paint.ink);
      ctx.globalAlpha = 1;
    }
  },
  drawTitle(ctx, title, x, room, ink) {
    ctx.fillStyle = ink;
    ctx.font = FONT;
    const lines = inLines(ctx, title, room, Math.max(1, Math.floor((this.height - 16) / 15)));
    lines.forEach((line, i) => ctx.fillText(line, x, this.y + 24 + 15 * i));
  },
};

const speechLane = {
  name: "speech",
  least: wave.length ? 62 : 22,
  draw(ctx, view, paint) {
    if (wave.length) this.drawWave(ctx, view, paint);
    const y = this.y + this.height - 6;
    for (const i of inView(data.sentences.length, (k) => data.sentences[k][0], (k) => data.sentences[k][1], view)) {
      const [start, end, , , doubts] = data.sentences[i];
      ctx.fillStyle = doubts ? paint.warning : paint.speech;
      ctx.fillRect(view.x(start), y, Math.max(1, width(view, start, end) - 1), 5);
    }
  },
  drawWave(ctx, view, paint) {
    const middle = this.y + (this.height - 10) / 2, reach = (this.height - 12) / 2;
    const perSecond = wave.length / view.total;
    ctx.fillStyle = paint.wave;
    ctx.beginPath();
    for (let x = 0; x < view.width; x++) {
      const from = Math.floor(view.time(view.left + x) * perSecond), to = Math.max(from + 1, Math.floor(view.time(view.left + x + 1) * perSecond));
      let loudest = 0;
      for (let k = from; k < to; k++) loudest = Math.max(loudest, wave[k] ?? 0);
      const tall = Math.max(0.5, (loudest / 255) * reach);
      ctx.rect(view.left + x, middle - tall, 1, 2 * tall);
    }
    ctx.fill();
  },
};

const speakerLane = {
  name: "speakers",
  least: speakers.length * SPEAKER_ROW,
  rows: speakers.map((name, i) => [name, SPEAKER_ROW * i]),
  draw(ctx, view) {
    const row = SPEAKER_ROW * this.stretch;
    for (const i of inView(data.sentences.length, (k) => data.sentences[k][0], (k) => data.sentences[k][1], view)) {
      const [start, end, , speaker] = data.sentences[i];
      if (speaker === null) continue;
      ctx.fillStyle = hueOf(speakers, speaker);
      ctx.fillRect(view.x(start), this.y + row * speakers.indexOf(speaker) + 1, width(view, start, end), row - 2);
    }
  },
};

const topicLane = {
  name: "topics",
  least: 58,
  draw(ctx, view, paint) {
    if (data.curve) this.drawCurve(ctx, view, paint);
    for (const found of data.breaks) {
      if (found.time < view.start || found.time > view.end) continue;
      const x = view.x(found.time);
      ctx.fillStyle = paint.accent;
      ctx.fillRect(x - 1, this.y, 2, this.height);
      ctx.beginPath();
      ctx.arc(x, this.y + 5, 3 + 2.5 * found.strength, 0, 7);
      ctx.fill();
    }
  },
  /** From the lowest score, or 0, at the bottom to the highest. */
  level(score) {
    const [low, high] = (this.range ??= scoreRange());
    return this.y + this.height - 1 - ((score - low) / (high - low)) * (this.height - 12);
  },
  drawCurve(ctx, view, paint) {
    const { times, scores, threshold } = data.curve;
    const first = Math.max(0, countUntil(times.length, (i) => times[i], view.start) - 1);
    const last = Math.min(times.length, countUntil(times.length, (i) => times[i], view.end) + 1);
    if (last - first < 1) return;
    const step = Math.ceil((last - first) / view.width); // of several on one pixel the highest: a break must not vanish
    ctx.beginPath();
    for (let i = first; i < last; i += step) {
      ctx.lineTo(view.x(times[i]), this.level(scores.slice(i, Math.min(i + step, last)).reduce((a, b) => Math.max(a, b))));
    }
    ctx.strokeStyle = paint.curve;
    ctx.lineWidth = 1.5;
    ctx.stroke();
    ctx.lineTo(view.x(times[last - 1]), this.y + this.height);
    ctx.lineTo(view.x(times[first]), this.y + this.height);
    ctx.fillStyle = paint.curveFill;
    ctx.fill();
    if (threshold === null) return;
    ctx.setLineDash([4, 4]);
    ctx.strokeStyle = paint.muted;
    ctx.lineWidth = 1;
    ctx.beginPath();
    ctx.moveTo(view.left, this.level(threshold));
    ctx.lineTo(view.left + view.width, this.level(threshold));
    ctx.stroke();
    ctx.setLineDash([]);
  },
};

function scoreRange() {
  const all = data.curve.threshold === null ? data.curve.scores : [...data.curve.scores, data.curve.threshold];
  const low = all.reduce((a, b) => Math.min(a, b), 0), high = all.reduce((a, b) => Math.max(a, b), -Infinity);
  return [low, Math.max(high, low + 0.1)];
}

const tracks = data.events.flatMap((event) => event.tracks.map((track) => [...track, event.id])).sort((a, b) => a[0] - b[0]);

/** One group of rows for each label. */
function eventGroups() {
  let top = 4;
  return labels.map((label) => {
    const own = tracks.filter((track) => track[2] === label);
    const { rows, count } = packed(own);
    const group = { label, own, rows, top };
    top += Math.max(16, count * ROW + 4);
    return group;
  });
}

const groups = eventGroups();

const eventLane = {
  name: "events",
  least: groups.length ? groups.at(-1).top + Math.max(16, (Math.max(...groups.at(-1).rows) + 1) * ROW + 4) : 22,
  rows: groups.map((group) => [group.label, group.top]),
  draw(ctx, view, paint) {
    ctx.fillStyle = paint.eventFill;
    for (const i of inView(data.events.length, (k) => data.events[k].start, (k) => data.events[k].end, view)) {
      ctx.fillRect(view.x(data.events[i].start), this.y, width(view, data.events[i].start, data.events[i].end), this.height);
    }
    for (const group of groups) {
      ctx.fillStyle = hueOf(labels, group.label);
      group.own.forEach(([start, end], i) => {
        if (end < view.start || start > view.end) return;
        ctx.beginPath();
        const y = this.y + (group.top + group.rows[i] * ROW) * this.stretch;
        ctx.roundRect(view.x(start), y, Math.max(2, width(view, start, end)), (ROW - 2) * this.stretch, 2);
        ctx.fill();
      });
    }
  },
};

/** The lanes that this recording has something for, one below the other, stretched to fill `room` px. */
function placedLanes(room, gap) {
  const wanted = [
    [chunkLane, true],
    [speechLane, wave.length || data.sentences.length],
    [speakerLane, speakers.length],
    [topicLane, data.curve || data.breaks.length],
    [eventLane, data.events.length],
  ];
  const lanes = wanted.filter(([, has]) => has).map(([lane]) => lane);
  const fixed = RULER + gap * (lanes.length - 1) + 4;
  const stretch = clamp((room - fixed) / lanes.reduce((sum, lane) => sum + lane.least, 0), 1, MOST_STRETCH);
  let y = RULER;
  for (const lane of lanes) {
    Object.assign(lane, { y, stretch, height: lane.least * stretch });
    y += lane.height + gap;
  }
  return { lanes, height: y - gap + 4 };
}
