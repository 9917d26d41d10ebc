export type Point = readonly [x: number, y: number];

/** Four corners, clockwise from the top left; see `clockwiseFromTopLeft`. */
export type Quad = readonly [Point, Point, Point, Point];

/** A rectangle at any angle: its centre, the unit vector along `width`, and its sides. */
interface Rectangle {
  readonly center: Point;
  readonly axis: Point;
  readonly width: number;
  readonly height: number;
}

/**
 * Answers the rectangle of least area around points; of equal ones, that along the hull's first edge. Its sides may be
 * 0.
 */
export function minAreaRectangle(points: readonly Point[]): Rectangle {
  const hull = convexHull(points);
  let best: Rectangle | undefined;
  for (const [index, from] of hull.entries()) {
    const to = hull[(index + 1) % hull.length] ?? from;
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const axis: Point = length === 0 ? [1, 0] : [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const rectangle = around(hull, axis);
    if (best === undefined || rectangle.width * rectangle.height < best.width * best.height) best = rectangle;
  }
  return best ?? { center: [0, 0], axis: [1, 0], width: 0, height: 0 };
}

/** Answers the corners of a rectangle whose sides have moved out by `margin`. */
export function cornersOf(rectangle: Rectangle, margin: number): Quad {
  const { center, axis } = rectangle;
  const across: Point = [-axis[1], axis[0]];
  const w = rectangle.width / 2 + margin;
  const h = rectangle.height / 2 + margin;
  const corner = (u: number, v: number): Point => [
    center[0] + axis[0] * u + across[0] * v,
    center[1] + axis[1] * u + across[1] * v,
  ];
  return clockwiseFromTopLeft([corner(-w, -h), corner(w, -h), corner(w, h), corner(-w, h)]);
}

/** The upper one of the two left corners is the first, that of the two right ones is the second. */
function clockwiseFromTopLeft(corners: Quad): Quad {
  const [a, b, c, d] = corners.toSorted((one, other) => one[0] - other[0]) as [Point, Point, Point, Point];
  const [topLeft, bottomLeft] = b[1] > a[1] ? [a, b] : [b, a];
  const [topRight, bottomRight] = d[1] > c[1] ? [c, d] : [d, c];
  return [topLeft, topRight, bottomRight, bottomLeft];
}

function around(points: readonly Point[], axis: Point): Rectangle {
  let [uMin, uMax, vMin, vMax] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of points) {
    const u = x * axis[0] + y * axis[1];
    const v = y * axis[0] - x * axis[1];
    uMin = Math.min(uMin, u);
    uMax = Math.max(uMax, u);
    vMin = Math.min(vMin, v);
    vMax = Math.max(vMax, v);
  }
  const u = (uMin + uMax) / 2;
  const v = (vMin + vMax) / 2;
  return {
    center: [u * axis[0] - v * axis[1], u * axis[1] + v * axis[0]],
    axis,
    width: uMax - uMin,
    height: vMax - vMin,
  };
}

/** Andrew's monotone chain. */
function convexHull(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (ordered: readonly Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of ordered) {
      while (chain.length >= 2 && turn(chain.at(-2), chain.at(-1), point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  const hull = [...half(sorted), ...half(sorted.toReversed())];
  return hull.length === 0 ? sorted.slice(0, 1) : hull;
}

function turn(a: Point | undefined, b: Point | undefined, c: Point): number {
  if (a === undefined || b === undefined) return 0;
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}
