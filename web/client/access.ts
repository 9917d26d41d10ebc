import { readItem, writeItem } from './saved.ts';
import { createStore } from './store.ts';

/** Where the browser keeps the API key of a server that wants one, for this server alone. */
const KEY_ITEM = 'steadyhand-api-key';

/** Whether the server lets this page in; `refused` tells why it did not, in the server's words. */
export type Access = { readonly kind: 'open' } | { readonly kind: 'refused'; readonly message: string };

const OPEN: Access = { kind: 'open' };

/** Open until an answer says otherwise, so that nothing is asked only to learn whether a key is needed. */
export const access = createStore<Access>(OPEN);

/** For a browser that keeps nothing. */
let held: string | null = null;

export function storedKey(): string | null {
  return readItem(KEY_ITEM) ?? held;
}

export function storeKey(key: string): void {
  held = key === '' ? null : key;
  writeItem(KEY_ITEM, held);
}

export function letIn(): void {
  access.set(OPEN);
}
