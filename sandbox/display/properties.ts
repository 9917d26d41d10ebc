import type { PropertyReply } from 'x11';
import type { XConnection } from './connection.ts';

/** The atom of a name; the client keeps the answers. */
export function atom(connection: XConnection, name: string): Promise<number> {
  return connection.request<number>('InternAtom', (done) => connection.x.InternAtom(false, name, done));
}

/** The first `maxBytes` of a window's property; empty where there is none. */
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

/** A property of 32-bit numbers, 64 at most. */
export async function propertyWords(
  connection: XConnection,
  window: number,
  property: number,
): Promise<number[]> {
  const data = await propertyBytes(connection, window, property, 256);
  return Array.from({ length: data.length >> 2 }, (_, index) => data.readUInt32LE(index * 4));
}
