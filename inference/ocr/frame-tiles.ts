import { type Area, hashOf, type Pixels } from './pixels.ts';

/** The side of a tile in pixels. */
const TILE = 16;

/** Two hashes of every tile of a picture, row by row. Equal pictures have equal hashes, others practically never. */
export interface FrameTiles {
  readonly columns: number;
  readonly rows: number;
  readonly hashes: Uint32Array;
}

export function tilesOf(pixels: Pixels): FrameTiles {
  const { width, height } = pixels;
  const columns = Math.ceil(width / TILE);
  const rows = Math.ceil(height / TILE);
  const hashes = new Uint32Array(columns * rows * 2);
  for (let row = 0; row < rows; row += 1) {
    const bottom = Math.min(height, (row + 1) * TILE);
    for (let column = 0; column < columns; column += 1) {
      const right = Math.min(width, (column + 1) * TILE);
      const hash = hashOf(pixels, { left: column * TILE, top: row * TILE, right, bottom });
      hashes.set(hash, (row * columns + column) * 2);
    }
  }
  return { columns, rows, hashes };
}

/** Answers the tiles that differ, row by row. */
export function changedTiles(one: FrameTiles, other: FrameTiles): number[] {
  const changed: number[] = [];
  for (let tile = 0; tile < one.hashes.length / 2; tile += 1) {
    const at = tile * 2;
    if (one.hashes[at] !== other.hashes[at] || one.hashes[at + 1] !== other.hashes[at + 1])
      changed.push(tile);
  }
  return changed;
}

/** Answers the areas of tiles, each grown by a tile on every side; areas that overlap become one. */
export function areasOf(
  tiles: readonly number[],
  columns: number,
  picture: { readonly width: number; readonly height: number },
): Area[] {
  const areas = tiles.map((tile) => {
    const [x, y] = [(tile % columns) * TILE, Math.floor(tile / columns) * TILE];
    return clipped({ left: x - TILE, top: y - TILE, right: x + 2 * TILE, bottom: y + 2 * TILE }, picture);
  });
  return merged(areas);
}

/** Joins areas that overlap, until none do. */
export function merged(areas: readonly Area[]): Area[] {
  const apart: Area[] = [];
  for (const area of areas) {
    let grown = area;
    for (let at = 0; at < apart.length;) {
      const other = apart[at];
      if (other !== undefined && overlap(grown, other)) {
        grown = union(grown, other);
        apart.splice(at, 1);
        at = 0;
      } else {
        at += 1;
      }
    }
    apart.push(grown);
  }
  return apart;
}

export function overlap(one: Area, other: Area): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

export function union(one: Area, other: Area): Area {
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  };
}

export function clipped(
  area: Area,
  { width, height }: { readonly width: number; readonly height: number },
): Area {
  return {
    left: Math.max(0, area.left),
    top: Math.max(0, area.top),
    right: Math.min(width, area.right),
    bottom: Math.min(height, area.bottom),
  };
}
