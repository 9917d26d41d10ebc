import type { ActiveWindow } from '@steadyhand/contracts';
import type { XConnection } from './connection.ts';
import { atom, propertyBytes, propertyWords } from './properties.ts';

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
