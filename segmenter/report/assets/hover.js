// What lies under a point of the timeline, in words.

const NEAR = 5; // px: this near to a cut, the cut is meant

/** Lines of text, the first one the heading; or null. */
function under(x, y, view, lanes) {
  const time = view.time(x);
  if (x < view.left || time < 0 || time > data.duration) return null;
  const boundary = boundaryNear(x, view);
  if (boundary) return [`Cut at ${clock(boundary.time, 1)}`, why(boundary), ...topicReasons(boundary)];
  const lane = lanes.find((one) => y >= one.y && y < one.y + one.height);
  return (lane && LINES[lane.name](time, (y - lane.y) / lane.stretch)) ?? [clock(time, 1)];
}

function boundaryNear(x, view) {
  const time = view.time(x);
  const i = countUntil(data.boundaries.length, (k) => data.boundaries[k].time, time);
  const near = [data.boundaries[i - 1], data.boundaries[i]].filter((b) => b && Math.abs(view.x(b.time) - x) <= NEAR);
  return near.sort((a, b) => Math.abs(a.time - time) - Math.abs(b.time - time))[0];
}

/** What the topic rule says about a cut of its own. */
function topicReasons(boundary) {
  return data.breaks.filter((found) => found.time === boundary.time).flatMap((found) => found.reasons);
}

const LINES = {
  chunks(time) {
    const chunk = data.chunks[chunkAt(time)];
    return [chunk.title, `${clock(chunk.start, 1)} to ${clock(chunk.end, 1)} · ${lasting(chunk.end - chunk.start)} · ${chunk.kind}`, chunk.labels.join(", ")];
  },
  speech(time) {
    const i = sentenceAt(time);
    if (i < 0) return null;
    const [start, , text, speaker, doubts] = data.sentences[i];
    return [clock(start, 1) + (speaker ? ` · ${speaker}` : ""), text, doubts && `doubtful: ${doubts}`];
  },
  speakers(time) { return LINES.speech(time); },
  topics(time) {
    if (!data.curve?.times.length) return null;
    const { measure, times, scores, threshold } = data.curve;
    const i = clamp(countUntil(times.length, (k) => times[k], time) - 1, 0, times.length - 1);
    return [clock(times[i], 1), `${measure}: ${scores[i].toFixed(2)}`, threshold !== null && `threshold ${threshold.toFixed(2)}`];
  },
  events(time, y) {
    const group = groups.findLast((one) => y >= one.top);
    const track = group?.own.find(([start, end], i) => time >= start && time < end && Math.floor((y - group.top) / ROW) === group.rows[i]);
    const event = data.events.find((one) => time >= one.start && time < one.end);
    if (track) return [track[2], `${clock(track[0], 1)} to ${clock(track[1], 1)} · ${lasting(track[1] - track[0])}`, `moved for ${lasting(track[4])} · clearest view: confidence ${track[3].toFixed(2)}`];
    return event ? [`Event ${event.id}` + (event.continues ? `, continues event ${event.continues}` : ""), `${clock(event.start, 1)} to ${clock(event.end, 1)} · ${lasting(event.end - event.start)}`, unique(event.tracks.map((one) => one[2])).join(", ")] : null;
  },
};
