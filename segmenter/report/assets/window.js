// Which part of the recording the timeline shows, and where a time lies in it.

class TimeWindow {
  constructor() {
    this.total = Math.max(data.duration, 0.001);
    this.least = Math.min(2, this.total); // seconds: words are still apart
    this.start = 0;
    this.length = this.total;
    this.left = 0; // px: where the lanes begin, right of their names
    this.width = 1; // px
  }

  get end() { return this.start + this.length; }
  x(time) { return this.left + ((time - this.start) / this.length) * this.width; }
  time(x) { return this.start + ((x - this.left) / this.width) * this.length; }
  get all() { return this.length >= this.total; }

  show(start, length = this.length) {
    this.length = clamp(length, this.least, this.total);
    this.start = clamp(start, 0, this.total - this.length);
  }

  /** So that `time` stays where it is. */
  zoom(factor, time) {
    const length = clamp(this.length * factor, this.least, this.total);
    this.show(time - ((time - this.start) * length) / this.length, length);
  }

  /** Turns the page when the player has left it. */
  reach(time) {
    if (time >= this.start && time <= this.end) return false;
    this.show(time - this.length * 0.1);
    return true;
  }
}
