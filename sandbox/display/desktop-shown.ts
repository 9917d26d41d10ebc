import type { XConnection } from './connection.ts';
import { atom, propertyWords } from './properties.ts';
import { pause, settle } from './settle.ts';

const LOOK_MS = 10;
/** A panel that has not appeared by then is not waited for. */
const PANEL_MS = 10_000;
const SETTLE_TIMES = { firstMs: 15, quietMs: 25, repeatMs: 200, answerMs: 0, maxMs: 400 };

/**
 * Waits until the panel has reserved its space (the window manager leaves it out of `_NET_WORKAREA`) and is drawn, so
 * that the first click on it does not reach the bare desktop and the first picture shows it.
 */
export async function desktopShown(connection: XConnection): Promise<void> {
  const workArea = await atom(connection, '_NET_WORKAREA');
  const end = performance.now() + PANEL_MS;
  while (performance.now() < end) {
    const [, , , height = connection.size.height] = await propertyWords(
      connection,
      connection.root,
      workArea,
    );
    if (height < connection.size.height) {
      await settle(connection, SETTLE_TIMES);
      return;
    }
    await pause(LOOK_MS);
  }
}
