import type { ScreenBox, ScreenLine, ScreenPixels } from './text-recognizer.ts';

interface Field {
  readonly point: readonly [x: number, y: number];
  readonly where: 'right of' | 'below';
}

/** The least difference of grey values between an object and its background; a pale border has about 40. */
const CONTRAST = 10;
/** The limits for a field's sides and its distance, in heights of the label. */
const SIZES = { height: [0.9, 14], width: [2, 200], right: 30, below: 2.5, inside: 1.2 } as const;

/**
 * Finds the field of a label: the nearer of the boxes right of it and below it. The result is null where the label
 * stands in a box of its own, as a placeholder does, or where there is no box. The label itself is then the best guess,
 * since a click on it enters the field on most web pages.
 *
 * A box is a region of one shade with an edge on all four sides. Another text in between ends the search.
 */
export function findField(
  label: ScreenBox,
  lines: readonly ScreenLine[],
  pixels: ScreenPixels,
): Field | null {
  const screen = new Shades(pixels);
  const [left, top, right, bottom] = label.map(Math.round) as [number, number, number, number];
  const height = Math.max(bottom - top, 4);
  const centre = Math.floor((top + bottom) / 2);
  const shade = screen.background(left - 2, top - 2, right + 2, bottom + 2);
  if (standsInBox(screen, [left, top, right, bottom], shade)) return null;

  const others = lines.filter(({ box }) => !overlaps(box, label));
  const probe = (
    x: number,
    y: number,
    dx: 0 | 1,
    dy: 0 | 1,
    reach: number,
  ): { away: number; box: ScreenBox } | null => {
    for (let away = 1; away <= reach; away += 1) {
      const at = [x + dx * away, y + dy * away] as const;
      if (others.some(({ box }) => holds(box, at))) return null;
      if (!screen.differs(...at, shade)) continue;
      // The border is a few pixels thick.
      for (let depth = 1; depth <= 5; depth += 1) {
        const box = screen.region(at[0] + dx * depth, at[1] + dy * depth, height);
        if (box !== null) return { away, box };
      }
      return null;
    }
    return null;
  };
  const beside = probe(right, centre, 1, 0, height * SIZES.right);
  const under = probe(left + Math.floor(height / 2), bottom, 0, 1, height * SIZES.below);
  const nearest = under !== null && (beside === null || under.away < beside.away) ? under : beside;
  if (nearest === null) return null;
  const [x1, y1, x2, y2] = nearest.box;
  return {
    point: [
      Math.floor(Math.min((x1 + x2) / 2, x1 + 2 * height)),
      Math.floor(Math.min((y1 + y2) / 2, y1 + 2 * height)),
    ],
    where: nearest === under ? 'below' : 'right of',
  };
}

/** Whether there are edges close above, below and left of a text, and an edge right of it. */
function standsInBox(screen: Shades, [left, top, right, bottom]: ScreenBox, shade: number): boolean {
  const height = bottom - top;
  const near = Math.ceil(height * SIZES.inside);
  const x = left + Math.floor(height / 2);
  return (
    screen.reach(x, top, 0, -1, near, shade) !== null &&
    screen.reach(x, bottom, 0, 1, near, shade) !== null &&
    screen.reach(left - 2, Math.floor((top + bottom) / 2), -1, 0, near * 2, shade) !== null &&
    screen.reach(right + 2, Math.floor((top + bottom) / 2), 1, 0, screen.width, shade) !== null
  );
}

function overlaps(one: ScreenBox, other: ScreenBox): boolean {
  return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
}

/** The letters may exceed a box of text by a few pixels. */
const MARGIN = 3;

function holds([left, top, right, bottom]: ScreenBox, [x, y]: readonly [number, number]): boolean {
  return x >= left - MARGIN && x <= right + MARGIN && y >= top - MARGIN && y <= bottom + MARGIN;
}

/** Grey values of a picture. */
class Shades {
  readonly width: number;
  readonly #pixels: ScreenPixels;

  constructor(pixels: ScreenPixels) {
    this.#pixels = pixels;
    this.width = pixels.width;
  }

  /** The mean of the colours, 0 to 255; null outside the picture. */
  shade(x: number, y: number): number | null {
    const { width, height, channels, data } = this.#pixels;
    if (x < 0 || y < 0 || x >= width || y >= height) return null;
    const start = (y * width + x) * channels;
    const value = (channel: number): number => data[start + channel] ?? 0;
    return channels < 3 ? value(0) : (value(0) + value(1) + value(2)) / 3;
  }

  differs(x: number, y: number, from: number): boolean {
    const shade = this.shade(x, y);
    return shade === null || Math.abs(shade - from) > CONTRAST;
  }

  /** The commonest shade in a rectangle. */
  background(left: number, top: number, right: number, bottom: number): number {
    const counts = new Map<number, number>();
    for (let y = top; y < bottom; y += 1) {
      for (let x = left; x < right; x += 1) {
        const shade = this.shade(x, y);
        if (shade !== null) counts.set(shade, (counts.get(shade) ?? 0) + 1);
      }
    }
    let [best, most] = [0, 0];
    for (const [shade, count] of counts) if (count > most) [best, most] = [shade, count];
    return best;
  }

  /** The number of pixels until the shade changes; null where it does not within the limit or the picture. */
  reach(x: number, y: number, dx: number, dy: number, limit: number, shade: number): number | null {
    for (let steps = 1; steps <= limit; steps += 1) {
      const here = this.shade(x + dx * steps, y + dy * steps);
      if (here === null) return null;
      if (Math.abs(here - shade) > CONTRAST) return steps;
    }
    return null;
  }

  /** The box of one shade around a point, if its sides are a field's; `unit` is the label's height. */
  region(x: number, y: number, unit: number): ScreenBox | null {
    const shade = this.shade(x, y);
    if (shade === null) return null;
    const [lowest, highest] = SIZES.height;
    const up = this.reach(x, y, 0, -1, unit * highest, shade);
    const down = this.reach(x, y, 0, 1, unit * highest, shade);
    if (up === null || down === null || up + down < unit * lowest || up + down > unit * highest) return null;
    // The search follows the upper edge, where there is no text.
    const rim = y - up + Math.max(2, Math.floor((up + down) * 0.12));
    const right = this.reach(x, rim, 1, 0, unit * SIZES.width[1], shade);
    const left = this.reach(x, rim, -1, 0, unit * SIZES.width[1], shade);
    if (left === null || right === null || left + right < unit * SIZES.width[0]) return null;
    return [x - left, y - up, x + right, y + down];
  }
}
