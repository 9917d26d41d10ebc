import type { PropertyReply } from 'x11';
import type { XConnection } from './connection.ts';

/** Returns the atom of a name; the client caches the answers. */
export function atom(connection: XConnection, name: string): Promise<number> {
  return connection.request<number>('InternAtom', (done) => connection.x.InternAtom(false, name, done));
}

/** Returns the first `maxBytes` of a window's property; it is empty where there is none. */
export async function propertyBytes(
  connection: XConnection,
  window: number,
  property: number,
  maxBytes: number,
): Promise<Buffer> {
  const { data } = await connection.request<PropertyReply>('GetProperty', (done) =>
    connection.x.GetProperty(0, window, property, 0, 0, Math.ceil(maxBytes / 4), done),
  );
  return data;
}

/** Returns a property of 32-bit numbers, 64 at most. */
export async function propertyWords(
  connection: XConnection,
  window: number,
  property: number,
): Promise<number[]> {
  const data = await propertyBytes(connection, window, property, 256);
  return Array.from({ length: data.length >> 2 }, (_, index) => data.readUInt32LE(index * 4));
}
