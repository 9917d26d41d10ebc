import { createStore, type Store } from './store.ts';

/**
 * A choice that this browser remembers for this server. A browser that keeps nothing (a private window, a full disk) still
 * holds it until the page is closed. Choices made in other tabs arrive as well.
 */
export function savedChoice<T extends string>(item: string, choices: readonly T[], initial: T): Store<T> {
  const parsed = (text: string | null): T => choices.find((choice) => choice === text) ?? initial;
  const store = createStore(parsed(readItem(item)));
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === item) store.set(parsed(newValue));
  });
  return {
    ...store,
    set: (value) => {
      writeItem(item, value === initial ? null : value);
      store.set(value);
    },
  };
}

export function readItem(item: string): string | null {
  try {
    return localStorage.getItem(item);
  } catch {
    return null;
  }
}

export function writeItem(item: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(item);
    else localStorage.setItem(item, value);
  } catch {
    // It lasts as long as the page then.
  }
}
