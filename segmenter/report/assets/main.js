// Brings the parts together: what follows the player, the keyboard, links, tabs, light and dark.

const player = new Player(byId("screen"));
const timeline = new Timeline(player);
const list = new VirtualList(byId("list"));
const filters = new Filters((found, sought) => {
  list.show(found, sought);
  timeline.shown = new Set(found);
  timeline.draw();
});

// --- what follows the player

let current = -1, spoken = -2;

function showChunk(index) {
  const chunk = data.chunks[index];
  current = index;
  byId("now-place").textContent = `Chunk ${index + 1} of ${data.chunks.length} · ${clock(chunk.start)} to ${clock(chunk.end)} · ${chunk.kind}`;
  byId("now-title").textContent = chunk.title;
  byId("now-why").textContent = `Begins: ${why(data.boundaries[index])}`;
  byId("now-seen").textContent = chunk.labels.length ? `In view: ${chunk.labels.join(", ")}` : "";
  list.setOpen(index);
  list.reveal(index);
}

function showSentence(index) {
  spoken = index;
  byId("now-sentence").textContent = index < 0 ? "" : data.sentences[index][2];
  byId("now-sentence").classList.toggle("doubtful", index >= 0 && Boolean(data.sentences[index][4]));
  for (const element of document.querySelectorAll(".said.spoken")) element.classList.remove("spoken");
  document.querySelector(`a.said[data-sentence="${index}"]`)?.classList.add("spoken");
}

player.onTime((time, playing) => {
  const chunk = chunkAt(time), sentence = sentenceAt(time);
  if (chunk !== current && chunk >= 0) {
    showChunk(chunk);
    spoken = -2;
  }
  if (sentence !== spoken) showSentence(sentence);
  timeline.follow(time, playing);
  byId("clock").textContent = clock(Math.floor(time));
  byId("play").classList.toggle("playing", playing);
  byId("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  const lanes = byId("lanes");
  lanes.setAttribute("aria-valuenow", time.toFixed(1));
  lanes.setAttribute("aria-valuetext", chunk < 0 ? clock(time) : `${clock(time)}, chunk ${chunk + 1}: ${data.chunks[chunk].title}`);
});

// --- moving about

/** To the next cut in a direction; from just after one, back to the one before it. */
function toBoundary(step) {
  const slack = player.playing ? 1 : 0.05, times = data.boundaries.map((cut) => cut.time);
  const next = step > 0 ? times.find((time) => time > player.time + 0.01) : times.findLast((time) => time < player.time - slack);
  goTo(next ?? (step > 0 ? data.duration : 0));
}

function goTo(time) {
  player.seek(time);
  if (timeline.view.reach(player.time)) timeline.draw();
}

byId("before").addEventListener("click", () => toBoundary(-1));
byId("after").addEventListener("click", () => toBoundary(1));
byId("play").addEventListener("click", () => player.toggle());
byId("play").disabled = !data.media.kind;
byId("in").addEventListener("click", () => timeline.zoom(0.5));
byId("out").addEventListener("click", () => timeline.zoom(2));
byId("fit").addEventListener("click", () => timeline.showAll());
byId("list").addEventListener("click", (event) => {
  const title = event.target.closest("button.title");
  if (title) goTo(data.chunks[Number(title.dataset.chunk)].start);
});

const KEYS = {
  " ": () => player.toggle(),
  ArrowLeft: (event) => goTo(player.time - (event.shiftKey ? 1 : 5)),
  ArrowRight: (event) => goTo(player.time + (event.shiftKey ? 1 : 5)),
  "[": () => toBoundary(-1),
  "]": () => toBoundary(1),
  "+": () => timeline.zoom(0.5),
  "-": () => timeline.zoom(2),
  0: () => timeline.showAll(),
  "/": () => { showTab("chunks"); byId("search").focus(); },
};

/** Whether an element has a use of its own for a key: fields for all, what is pressed for the space bar, tabs for arrows. */
function ownKey(element, key) {
  if (element.matches("input, select, textarea")) return true;
  if (key === " " && element.matches("button, summary, a")) return true;
  return key.startsWith("Arrow") && element.matches("[role=tab]");
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target === byId("search")) {
    filters.clear();
    byId("search").blur();
    return;
  }
  const act = KEYS[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey || ownKey(event.target, event.key)) return;
  event.preventDefault();
  act(event);
});
if (player.media) player.media.addEventListener("keydown", (event) => { if (event.key in KEYS) event.preventDefault(); });

// --- links: #t=63, #t=1:03, #t=63,70

function followLink() {
  const match = /^#t=(?:npt:)?((?:\d+:){0,2}\d+(?:\.\d+)?)/.exec(location.hash);
  if (match) goTo(match[1].split(":").reduce((sum, part) => sum * 60 + Number(part), 0));
}

window.addEventListener("hashchange", followLink);
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#t="]');
  if (link && link.getAttribute("href") === location.hash) followLink(); // the address does not change, so nobody says so
});

// --- tabs, light and dark

function showTab(name) {
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const chosen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    byId(tab.getAttribute("aria-controls")).hidden = !chosen;
  }
  if (name === "chunks") list.render();
}

for (const tab of document.querySelectorAll("[role=tab]")) {
  tab.addEventListener("click", () => showTab(tab.getAttribute("aria-controls")));
  tab.addEventListener("keydown", (event) => {
    if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    const other = tab.nextElementSibling ?? tab.previousElementSibling;
    showTab(other.getAttribute("aria-controls"));
    other.focus();
  });
}

const dark = window.matchMedia("(prefers-color-scheme: dark)");

byId("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const now = root.dataset.theme ?? (dark.matches ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
  timeline.draw();
});
dark.addEventListener("change", () => timeline.draw());

filters.apply();
player.tell();
followLink();
