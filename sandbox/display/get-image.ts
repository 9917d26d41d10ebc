import type { XConnection } from './connection.ts';

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;

/** A part of the screen in its own pixels. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Reads a part of the screen, row by row, with four bytes to a pixel: blue, green, red, and one that is not used. */
export async function getImage(connection: XConnection, region: Region): Promise<Buffer> {
  const { x, y, width, height } = region;
  const { data } = await connection.request<{ data: Buffer }>('GetImage', (done) =>
    connection.x.GetImage(Z_PIXMAP, connection.root, x, y, width, height, ALL_PLANES, done),
  );
  return data.subarray(0, width * height * 4);
}
