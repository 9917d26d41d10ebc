import { messageOf } from '../client/request.ts';
import { createStore } from '../client/store.ts';

export interface Toast {
  readonly id: number;
  readonly tone: 'done' | 'alarm';
  readonly text: string;
}

/** How long what was done is shown. What failed stays until somebody closes it. */
const SHOWN_MS = 5000;

export const toasts = createStore<readonly Toast[]>([]);

let count = 0;

function show(tone: Toast['tone'], text: string): number {
  const id = ++count;
  toasts.set([...toasts.get().slice(-3), { id, tone, text }]);
  return id;
}

/** Says briefly that something was done which the page does not show otherwise. */
export function toast(text: string): void {
  const id = show('done', text);
  window.setTimeout(() => closeToast(id), SHOWN_MS);
}

/** Says that something failed which has no place on the page for its error. */
export function toastError(error: unknown): void {
  show('alarm', messageOf(error));
}

export function closeToast(id: number): void {
  toasts.set(toasts.get().filter((each) => each.id !== id));
}
