// The lanes of the timeline: each knows its height, draws itself, and says what lies under a point.

const RULER = 24, GAP = 10, ROW = 9, MOST_ROWS = 5;

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
  height: 40,
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
      if (w > 28) paint.text(ctx, chunk.title, Math.max(x, view.left) + 6, this.y + 25, Math.min(x + w, view.left + view.width) - Math.max(x, view.left) - 10);
      ctx.globalAlpha = 1;
    }
  },
};

const speechLane = {
  name: "speech",
  height: wave.length ? 62 : 22,
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
  height: speakers.length * 12,
  rows: speakers.map((name, i) => [name, 12 * i]),
  draw(ctx, view) {
    for (const i of inView(data.sentences.length, (k) => data.sentences[k][0], (k) => data.sentences[k][1], view)) {
      const [start, end, , speaker] = data.sentences[i];
      if (speaker === null) continue;
      ctx.fillStyle = hueOf(speakers, speaker);
      ctx.fillRect(view.x(start), this.y + 12 * speakers.indexOf(speaker) + 1, width(view, start, end), 10);
    }
  },
};

const topicLane = {
  name: "topics",
  height: 58,
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
  level(distance) {
    return this.y + this.height - 1 - clamp(distance / this.top(), 0, 1) * (this.height - 12);
  },
  top() {
    this.highest ??= Math.max(0.1, data.curve.threshold ?? 0, data.curve.distances.reduce((a, b) => Math.max(a, b), 0));
    return this.highest;
  },
  drawCurve(ctx, view, paint) {
    const { times, distances, threshold } = data.curve;
    const first = Math.max(0, countUntil(times.length, (i) => times[i], view.start) - 1);
    const last = Math.min(times.length, countUntil(times.length, (i) => times[i], view.end) + 1);
    if (last - first < 1) return;
    ctx.beginPath();
    for (let i = first; i < last; i++) ctx.lineTo(view.x(times[i]), this.level(distances[i]));
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
  height: groups.length ? groups.at(-1).top + Math.max(16, (Math.max(...groups.at(-1).rows) + 1) * ROW + 4) : 22,
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
        ctx.roundRect(view.x(start), this.y + group.top + group.rows[i] * ROW, Math.max(2, width(view, start, end)), ROW - 2, 2);
        ctx.fill();
      });
    }
  },
};

/** The lanes that this recording has something for, placed one below the other. */
function placedLanes() {
  const wanted = [
    [chunkLane, true],
    [speechLane, wave.length || data.sentences.length],
    [speakerLane, speakers.length],
    [topicLane, data.curve || data.breaks.length],
    [eventLane, data.events.length],
  ];
  const lanes = wanted.filter(([, has]) => has).map(([lane]) => lane);
  let y = RULER;
  for (const lane of lanes) {
    lane.y = y;
    y += lane.height + GAP;
  }
  return { lanes, height: y - GAP + 4 };
}
