import type { XConnection } from './connection.ts';
import { hasManyColours } from './many-colours.ts';
import { atom, propertyWords } from './properties.ts';
import { pause, settle } from './settle.ts';

const LOOK_MS = 5;
/** A panel that has not appeared by then is not waited for. */
const PANEL_MS = 10_000;
/** A panel that is still empty by then has nothing to show. */
const EMPTY_MS = 400;
const SETTLE_TIMES = { firstMs: 10, quietMs: 10, repeatMs: 200, answerMs: 0, maxMs: 400 };

/**
 * Waits until the panel has reserved its space (the window manager leaves it out of `_NET_WORKAREA`) and is drawn, so
 * that the first click on it does not reach the bare desktop and the first picture shows it.
 */
export async function desktopShown(connection: XConnection): Promise<void> {
  const workArea = await atom(connection, '_NET_WORKAREA');
  const end = performance.now() + PANEL_MS;
  while (performance.now() < end) {
    const [, , , top = connection.size.height] = await propertyWords(connection, connection.root, workArea);
    if (top < connection.size.height) {
      await panelDrawn(connection, top);
      return;
    }
    await pause(LOOK_MS);
  }
}

/** The panel appears empty; it is drawn when its buttons are there, which all come at once. */
async function panelDrawn(connection: XConnection, top: number): Promise<void> {
  const end = performance.now() + EMPTY_MS;
  while (performance.now() < end && !(await hasManyColours(connection, top))) await pause(LOOK_MS);
  await settle(connection, SETTLE_TIMES);
}
