import type { ReactElement } from 'react';
import { createStore, useStore } from '../client/store.ts';

/** Two texts in turn, so that the same words said again are heard again. */
const said = createStore<readonly [string, string]>(['', '']);

/** Has screen readers say something that changed without the focus being there. */
export function announce(text: string): void {
  said.set(said.get()[0] === '' ? [text, ''] : ['', text]);
}

/** Where announcements stand. It is on the page once. */
export function LiveRegion(): ReactElement {
  const [first, second] = useStore(said);
  return (
    <div className="hidden" role="log" aria-live="polite" aria-label="Announcements">
      <p>{first}</p>
      <p>{second}</p>
    </div>
  );
}
