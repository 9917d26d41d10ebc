import { useEffect, useRef } from 'react';
import { savedChoice } from '../client/saved.ts';
import { createStore } from '../client/store.ts';

/** One key or several, one after the other, and what they do. */
export interface KeyBinding {
  /**
   * Keys as `KeyboardEvent.key` names them: `?`, `ArrowLeft`, `g s` (one after the other), `mod+k` (Control, or Command on a
   * Mac), `shift+ArrowLeft`.
   */
  readonly keys: string;
  readonly label: string;
  /** The heading under which the list of keys shows it, e.g. `Everywhere`. */
  readonly group: string;
  readonly run: () => void;
}

/** The bindings of what is on the page now. Of two for the same keys the one that came last counts. */
export const bindings = createStore<readonly KeyBinding[]>([]);

/** Keys without Control or Command can be switched off, because speech input and slips of the hand press them, too. */
export const singleKeys = savedChoice('steadyhand-keys', ['on', 'off'], 'on');

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

/** What the key beside the space bar is called here. */
export const MOD = IS_MAC ? '⌘' : 'Ctrl';

/** Has keys do something while the caller is on the page, and lists them in the `?` dialog. */
export function useKeys(given: readonly KeyBinding[]): void {
  const newest = useRef(given);
  newest.current = given;
  const signature = given.map(({ keys, label, group }) => `${keys}\n${label}\n${group}`).join('\n\n');
  useEffect(() => {
    const own = newest.current.map((binding, index) => ({
      ...binding,
      run: () => newest.current[index]?.run(),
    }));
    bindings.set([...bindings.get(), ...own]);
    return () => bindings.set(bindings.get().filter((binding) => !own.includes(binding)));
  }, [signature]);
}

/** The name of a pressed key with its modifiers, in the form of `KeyBinding.keys`. */
export function pressed({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const mod = IS_MAC ? metaKey : ctrlKey;
  // Shift is a part of how characters such as `?` are typed.
  const shift = shiftKey && (key.length > 1 || mod);
  const name = key === ' ' ? 'Space' : mod ? key.toLowerCase() : key;
  return `${mod ? 'mod+' : ''}${altKey ? 'alt+' : ''}${shift ? 'shift+' : ''}${name}`;
}

const SHOWN: Readonly<Record<string, string>> = {
  mod: MOD,
  shift: 'Shift',
  alt: 'Alt',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
};

/** Keys as they are shown: a list of those to press one after the other, each with its modifiers. */
export function shownKeys(keys: string): readonly string[] {
  return keys
    .split(' ')
    .flatMap((chord) =>
      chord.split('+').map((name) => SHOWN[name] ?? (name.length === 1 ? name.toUpperCase() : name)),
    );
}
