// A list of any length of which only the cards in sight exist; heights are guessed, then measured.

const GUESS = 128; // px
const SPARE = 400; // px above and below what is seen

class VirtualList {
  constructor(element) {
    this.element = element;
    this.width = element.clientWidth;
    this.indices = [...data.chunks.keys()];
    this.heights = new Map();
    this.open = -1;
    this.sought = "";
    this.cards = new Map();
    document.addEventListener("scroll", () => this.render(), { capture: true, passive: true });
    new ResizeObserver(() => this.resize()).observe(element);
  }

  show(indices, sought) {
    this.indices = indices;
    this.sought = sought;
    this.reset();
  }

  /** The open card shows all of its words. */
  setOpen(index) {
    if (index === this.open) return;
    for (const changed of [this.open, index]) {
      this.cards.get(changed)?.remove();
      this.cards.delete(changed);
      this.heights.delete(changed);
    }
    this.open = index;
    this.render();
  }

  reset() {
    this.element.replaceChildren();
    this.cards.clear();
    this.heights.clear();
    this.render();
  }

  /** Tops of all cards, and where the list ends. */
  tops() {
    const tops = new Float64Array(this.indices.length + 1);
    for (let i = 0; i < this.indices.length; i++) tops[i + 1] = tops[i] + (this.heights.get(this.indices[i]) ?? GUESS);
    return tops;
  }

  render() {
    for (let pass = 0; pass < 3 && this.layOut(); pass++); // measured heights may bring others into sight
  }

  /** Makes what is in sight, drops what is not; says whether a height was not as guessed. */
  layOut() {
    const tops = this.tops();
    this.element.style.height = `${tops.at(-1)}px`;
    const scroller = byId("scroll").getBoundingClientRect(), box = this.element.getBoundingClientRect();
    const from = Math.max(scroller.top, 0) - box.top - SPARE, to = Math.min(scroller.bottom, window.innerHeight) - box.top + SPARE;
    const first = Math.max(0, countUntil(tops.length, (i) => tops[i], from) - 1), wanted = new Map();
    for (let i = first; i < this.indices.length && tops[i] < to; i++) wanted.set(this.indices[i], tops[i]);
    for (const [index, element] of this.cards) {
      if (!wanted.has(index) && !element.contains(document.activeElement)) {
        element.remove();
        this.cards.delete(index);
      }
    }
    this.fill(wanted);
    return this.measure();
  }

  /** In the order of the recording, so that the keyboard and screen readers go through them in it. */
  fill(wanted) {
    let before = null;
    for (const [index, top] of wanted) {
      let element = this.cards.get(index);
      if (!element) {
        element = card(index, index === this.open, this.sought);
        this.cards.set(index, element);
        if (before) before.after(element);
        else this.element.prepend(element);
      }
      element.style.transform = `translateY(${top}px)`;
      before = element;
    }
  }

  measure() {
    let changed = false;
    for (const [index, element] of this.cards) {
      const height = element.offsetHeight;
      if (height && this.heights.get(index) !== height) {
        this.heights.set(index, height);
        changed = true;
      }
    }
    return changed;
  }

  /** Another width breaks lines elsewhere; the height is our own doing. */
  resize() {
    if (this.element.clientWidth === this.width) return;
    this.width = this.element.clientWidth;
    this.heights.clear();
    this.render();
  }

  /** Brings the card of a chunk into sight, inside its own scroller alone: the page stays where it is. */
  reveal(index) {
    const place = this.indices.indexOf(index), scroller = byId("scroll");
    if (place < 0 || scroller.scrollHeight <= scroller.clientHeight) return;
    for (let pass = 0; pass < 4; pass++) { // heights on the way there are guesses until they are in sight
      const tops = this.tops(), top = tops[place], bottom = tops[place + 1];
      if (scroller.scrollTop <= top && bottom <= scroller.scrollTop + scroller.clientHeight) return;
      scroller.scrollTop = Math.max(0, top - 12);
      this.render();
    }
  }
}
