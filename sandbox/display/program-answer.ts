import type { XEvent } from 'x11';
import type { XConnection } from './connection.ts';
import { atom, propertyWords } from './properties.ts';

/** It distinguishes these pings from a window manager's own, which carry the server's time. */
let serial = 0;

/**
 * Asks the program in front whether it has processed all its input, by `_NET_WM_PING` (EWMH): a program answers when it
 * reaches the ping in its queue, after the earlier click or key. Calls `answered` when it has, or at once when there is
 * no program in front or it does not take part; `asked` is false then. `off` stops listening.
 */
export async function askProgram(
  connection: XConnection,
  answered: () => void,
): Promise<{ readonly asked: boolean; readonly off: () => void }> {
  const [active, protocols, ping] = await Promise.all([
    atom(connection, '_NET_ACTIVE_WINDOW'),
    atom(connection, 'WM_PROTOCOLS'),
    atom(connection, '_NET_WM_PING'),
  ]);
  const [window = 0] = await propertyWords(connection, connection.root, active);
  // The window may be gone by now, which the server reports as an error.
  const supported = window === 0 ? [] : await propertyWords(connection, window, protocols).catch(() => []);
  if (!supported.includes(ping)) {
    answered();
    return { asked: false, off: () => undefined };
  }
  serial = (serial + 1) % 0x1000;
  const stamp = 0xfffff000 + serial;
  const off = connection.onEvent((event: XEvent) => {
    if (event.name !== 'ClientMessage' || event.message_type !== protocols) return;
    if (event.data?.[0] === ping && event.data[1] === stamp) answered();
  });
  connection.x.SendClientMessage(window, window, protocols, 32, [ping, stamp, window, 0, 0], 0);
  return { asked: true, off };
}
