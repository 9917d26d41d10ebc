import type { XConnection } from './connection.ts';
import { getImage } from './get-image.ts';

/** Whether more than one colour is on the screen from the row `top` to its lower edge. */
export async function hasManyColours(connection: XConnection, top: number): Promise<boolean> {
  const { width, height } = connection.size;
  const pixels = await getImage(connection, { x: 0, y: top, width, height: height - top });
  for (let at = 4; at < pixels.length; at += 4)
    if (pixels.readUIntLE(at, 3) !== pixels.readUIntLE(0, 3)) return true;
  return false;
}
