// What all parts use: the data, small helpers, and times as people write them.

const data = JSON.parse(document.getElementById("data").textContent);

const KINDS = ["talk", "event", "both", "idle"];
const REASONS = {
  start: "start of the recording",
  end: "end of the recording",
  topic: "new topic",
  opens: "comes into view",
  closes: "leaves the view",
  speaker: "another speaker",
  silence: "silence",
  limit: "longest length reached",
};

const byId = (id) => document.getElementById(id);

/** An element with attributes, and children that are elements or text: text is never read as markup. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

/** `1:02:03`, with decimals `1:02:03.4`. */
function clock(seconds, decimals = 0) {
  const scale = 10 ** decimals;
  const units = Math.round(seconds * scale);
  const whole = Math.floor(units / scale);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const two = (number) => String(number).padStart(2, "0");
  const fraction = decimals ? "." + String(units % scale).padStart(decimals, "0") : "";
  return (hours ? `${hours}:${two(minutes)}` : `${minutes}`) + `:${two(whole % 60)}${fraction}`;
}

/** `12.5 s`, or `3:20 min`. */
function lasting(seconds) {
  return seconds < 100 ? `${seconds.toFixed(1)}\u00a0s` : `${clock(seconds)} min`;
}

/** How many of `count` things lie at or before `at`; `key(i)` rises with i. */
function countUntil(count, key, at) {
  let low = 0, high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(middle) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

const chunkAt = (time) => clamp(countUntil(data.chunks.length, (i) => data.chunks[i].start, time) - 1, 0, data.chunks.length - 1);

/** The index of the sentence that is spoken at `time`, or -1. */
function sentenceAt(time) {
  const i = countUntil(data.sentences.length, (k) => data.sentences[k][0], time) - 1;
  return i >= 0 && time < data.sentences[i][1] ? i : -1;
}

const reasonsOf = (boundary) => boundary.reasons.map((reason) => REASONS[reason] ?? reason).join(" + ");

/** Why there is a cut, in words. */
function why(boundary) {
  const parts = [reasonsOf(boundary)];
  if (!boundary.reasons.some((reason) => reason === "start" || reason === "end")) parts.push(`strength ${boundary.strength.toFixed(2)}`);
  const moved = movedBy(boundary);
  if (moved) parts.push(moved);
  return parts.join(" · ");
}

/** From where evidence pulled a cut that no sentence may straddle, or "". */
function movedBy(boundary) {
  if (boundary.moved_from === null) return "";
  const by = boundary.time - boundary.moved_from;
  return `moved ${Math.abs(by).toFixed(1)}\u00a0s ${by < 0 ? "back" : "on"} from ${clock(boundary.moved_from, 1)}`;
}

/** Colours that people with any colour vision can tell apart (Okabe and Ito, 2008). */
const OKABE_ITO = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a8f98"];
const hueOf = (names, name) => OKABE_ITO[Math.max(0, names.indexOf(name)) % OKABE_ITO.length];

const unique = (values) => [...new Set(values)];
const labels = unique(data.events.flatMap((event) => event.tracks.map((track) => track[2])));
const speakers = unique(data.sentences.map((sentence) => sentence[3]).filter((name) => name !== null));
