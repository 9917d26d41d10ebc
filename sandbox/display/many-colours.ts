import type { XConnection } from './connection.ts';

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;

/** Whether more than one colour is on the screen from the row `top` to its lower edge. */
export async function hasManyColours(connection: XConnection, top: number): Promise<boolean> {
  const { x, root, size } = connection;
  const { data } = await connection.request<{ data: Buffer }>('GetImage', (done) =>
    x.GetImage(Z_PIXMAP, root, 0, top, size.width, size.height - top, ALL_PLANES, done),
  );
  const pixel = data.subarray(0, 4);
  for (let at = 4; at + 4 <= data.length; at += 4)
    if (data[at] !== pixel[0] || data[at + 1] !== pixel[1] || data[at + 2] !== pixel[2]) return true;
  return false;
}
