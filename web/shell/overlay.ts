import { createStore } from '../client/store.ts';

/** What lies over the page: the command palette, the list of keys, or, on a phone, the navigation. */
export type Overlay = 'none' | 'palette' | 'keys' | 'navigation';

export const overlay = createStore<Overlay>('none');

export function closeOverlay(): void {
  overlay.set('none');
}
