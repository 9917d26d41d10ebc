/** A stretch of time, in milliseconds since 1970. */
export interface TimeView {
  readonly from: number;
  readonly to: number;
}

/** The shortest stretch that can be looked at. */
const SHORTEST = 5;
/** How much of the whole may be left blank at each side. */
const MARGIN = 0.25;

/** The view with everything in it, and some room at the end for labels. */
export function wholeOf(from: number, to: number): TimeView {
  const length = Math.max(SHORTEST, to - from);
  return { from: from - length * 0.01, to: from + length * 1.08 };
}

/** Nearer (a factor below 1) or farther, while the moment `at` stays in its place. */
export function zoomed(view: TimeView, factor: number, at: number, whole: TimeView): TimeView {
  const length = view.to - view.from;
  const next = Math.max(SHORTEST, Math.min(length * factor, (whole.to - whole.from) * (1 + MARGIN)));
  const share = (at - view.from) / length;
  return within({ from: at - share * next, to: at + (1 - share) * next }, whole);
}

/** Moved by a share of its length. */
export function panned(view: TimeView, share: number, whole: TimeView): TimeView {
  const by = (view.to - view.from) * share;
  return within({ from: view.from + by, to: view.to + by }, whole);
}

/** Moved so far that the stretch is in view, with room before it. */
export function showing(view: TimeView, start: number, end: number, whole: TimeView): TimeView {
  if (start >= view.from && Math.min(end, start + (view.to - view.from) / 2) <= view.to) return view;
  const length = view.to - view.from;
  return within({ from: start - length * 0.2, to: start + length * 0.8 }, whole);
}

function within(view: TimeView, whole: TimeView): TimeView {
  const length = view.to - view.from;
  const room = (whole.to - whole.from) * MARGIN;
  const from = Math.max(
    whole.from - room,
    Math.min(view.from, Math.max(whole.from, whole.to + room - length)),
  );
  return { from, to: from + length };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MILLISECONDS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const STEPS = [
  ...MILLISECONDS,
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 30, 90, 180, 365].map((count) => count * DAY),
];

export interface Tick {
  readonly at: number;
  /** Since the beginning of the run, at which the ticks begin. */
  readonly offset: number;
}

/** Round moments after the beginning, at most `count` of them in view. */
export function ticksOf(view: TimeView, beginning: number, count: number): readonly Tick[] {
  const length = view.to - view.from;
  const step =
    STEPS.find((candidate) => length / candidate <= count) ??
    DAY * 365 * Math.ceil(length / count / DAY / 365);
  const ticks: Tick[] = [];
  for (let n = Math.ceil((view.from - beginning) / step); beginning + n * step <= view.to; n += 1) {
    // Adding zero makes no difference but that it leaves no negative zero.
    ticks.push({ at: beginning + n * step, offset: n * step + 0 });
  }
  return ticks;
}
