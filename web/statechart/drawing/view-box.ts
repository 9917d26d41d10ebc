/** Which part of a drawing is seen: where its origin stands in the window onto it, and how large it is. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const SMALLEST = 0.01;
const LARGEST = 3;
const MARGIN = 12;
/** At the top stand the buttons. */
const TOP = 48;

/** Shows all of it, in the middle. Small ones are not made larger than they are. */
export function fitted(drawing: Size, window: Size): View {
  const room = { width: window.width - 2 * MARGIN, height: window.height - TOP - MARGIN };
  const scale = bounded(Math.min(1, room.width / drawing.width, room.height / drawing.height));
  return {
    scale,
    x: (window.width - drawing.width * scale) / 2,
    y: TOP + (room.height - drawing.height * scale) / 2,
  };
}

/** Larger or smaller by a factor, while the place under `at` stays where it is. */
export function zoomed(view: View, factor: number, at: { readonly x: number; readonly y: number }): View {
  const scale = bounded(view.scale * factor);
  const by = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by };
}

/** Moves as little as shows a place of the drawing, and makes it legible. */
export function showing(
  view: View,
  place: Size & { readonly x: number; readonly y: number },
  window: Size,
): View {
  const scale = bounded(Math.max(view.scale, 0.7));
  const left = place.x * scale + view.x;
  const top = place.y * scale + view.y;
  const isSeen =
    scale === view.scale &&
    left >= 0 &&
    top >= 0 &&
    left + place.width * scale <= window.width &&
    top + place.height * scale <= window.height;
  if (isSeen) return view;
  return {
    scale,
    x: window.width / 2 - (place.x + place.width / 2) * scale,
    y: window.height / 2 - (place.y + place.height / 2) * scale,
  };
}

const bounded = (scale: number): number => Math.max(SMALLEST, Math.min(LARGEST, scale));
