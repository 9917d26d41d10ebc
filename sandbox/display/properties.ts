import type { PropertyReply } from 'x11';
import type { ActiveWindow } from '@steadyhand/contracts';
import type { XConnection } from './connection.ts';

/** Returns the atom of a name; the client caches the answers. */
export function atom(connection: XConnection, name: string): Promise<number> {
  return connection.request<number>('InternAtom', (done) => connection.x.InternAtom(false, name, done));
}

/** Returns the first `maxBytes` of a window's property; it is empty where there is none. */
async function propertyBytes(
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

const TITLE_BYTES = 4096;

/**
 * Returns the window that has the keyboard, as the window manager says (`_NET_ACTIVE_WINDOW`); null when there is none.
 * Title and class are set by the program itself: whoever bases a decision on them trusts the program.
 */
export async function activeWindow(connection: XConnection): Promise<ActiveWindow | null> {
  const [active, netName, name, className] = await Promise.all(
    ['_NET_ACTIVE_WINDOW', '_NET_WM_NAME', 'WM_NAME', 'WM_CLASS'].map((each) => atom(connection, each)),
  );
  const [window = 0] = await propertyWords(connection, connection.root, active ?? 0);
  if (window === 0) return null;
  try {
    const [unicode, latin, classes] = await Promise.all(
      [netName, name, className].map((each) => propertyBytes(connection, window, each ?? 0, TITLE_BYTES)),
    );
    const title = unicode?.length ? unicode.toString('utf8') : (latin?.toString('latin1') ?? '');
    // The property holds instance and class, each ended by a NUL.
    const [instance = '', general = ''] = classes?.toString('latin1').split('\0') ?? [];
    return { title: title.replaceAll('\0', ''), class: general === '' ? instance : general };
  } catch {
    // The window may be gone by now, which the server reports as an error.
    return null;
  }
}
