// One chunk in the list: what it is, why it begins, what is said in it.

/** The text of a sentence with what was searched for marked. */
function marked(text, sought) {
  if (!sought) return [text];
  const parts = [], low = text.toLowerCase();
  let from = 0;
  if (low.length !== text.length) return [text]; // lower case is longer in a few scripts: offsets would not fit
  for (let at = low.indexOf(sought); at >= 0; at = low.indexOf(sought, from)) {
    parts.push(text.slice(from, at), make("mark", {}, text.slice(at, at + sought.length)));
    from = at + sought.length;
  }
  return [...parts, text.slice(from)];
}

function sentenceRange(chunk) {
  if (!chunk.sentences) return [];
  const [first, last] = chunk.sentences;
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

const address = (time) => `#t=${Number(time.toFixed(3))}`;

function sentenceElement(i, open, sought) {
  const [start, , text, , doubts] = data.sentences[i];
  const attributes = { class: doubts ? "said doubtful" : "said", "data-sentence": i, dir: "auto", title: doubts ? `doubtful: ${doubts}` : null };
  if (open) attributes.href = address(start);
  const note = doubts ? make("span", { class: "hidden" }, " (doubtful)") : null;
  return make(open ? "a" : "span", attributes, ...marked(text, sought), note);
}

/** The words of a chunk: all of them where it is open, else from the first sentence that holds what is sought. */
function wordsOf(chunk, open, sought) {
  let range = sentenceRange(chunk);
  if (!open) {
    const hit = sought ? range.findIndex((i) => data.sentences[i][2].toLowerCase().includes(sought)) : 0;
    range = range.slice(Math.max(0, hit), Math.max(0, hit) + 6);
  }
  const words = make("p", { class: "text", dir: "auto" });
  let speaker = null;
  for (const i of range) {
    const name = data.sentences[i][3];
    if (name !== null && name !== speaker) words.append(make("b", { class: "speaker", dir: "auto" }, name), " ");
    speaker = name;
    words.append(sentenceElement(i, open, sought), " ");
  }
  return words;
}

function card(index, open, sought) {
  const chunk = data.chunks[index], boundary = data.boundaries[index];
  const picture = chunk.still ? make("img", { src: chunk.still, alt: "", loading: "lazy", decoding: "async" }) : null;
  const facts = make("p", { class: "meta" },
    make("a", { href: address(chunk.start), title: "Link to this moment" }, clock(chunk.start)),
    make("span", {}, lasting(chunk.end - chunk.start)),
    make("span", { class: "kind" }, make("i", { class: `dot ${chunk.kind}` }), chunk.kind),
    ...chunk.clips.map((clip) => make("a", { href: clip }, "clip")),
    ...chunk.labels.map((label) => make("span", { class: "label", dir: "auto" }, label)));
  const heading = make("h3", {}, make("button", { type: "button", class: "title", "data-chunk": index, dir: "auto" }, ...marked(chunk.title, sought)));
  const cut = make("p", { class: "why", title: why(boundary) }, reasonsOf(boundary));
  const body = make("div", { class: "body" }, heading, facts, cut, chunk.sentences ? wordsOf(chunk, open, sought) : null);
  return make("li", {
    class: open ? "card open" : "card",
    "data-index": index,
    "aria-current": open ? "true" : null,
    "aria-setsize": data.chunks.length,
    "aria-posinset": index + 1,
  }, picture ?? make("div", { class: `blank ${chunk.kind}`, "aria-hidden": "true" }), body);
}
