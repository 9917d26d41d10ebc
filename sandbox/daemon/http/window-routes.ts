import type { Daemon } from '../daemon.ts';
import { type DaemonRoute, sendJson } from './exchange.ts';

/** `GET /active_window`: `{title, class}` of the window that has the keyboard, or null. */
export function windowRoutes(daemon: Daemon): readonly DaemonRoute[] {
  return [
    {
      method: 'GET',
      path: '/active_window',
      handle: async ({ response }) => sendJson(response, 200, await daemon.activeWindow()),
    },
  ];
}
