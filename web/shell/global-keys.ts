import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { bindings, type KeyBinding, pressed, singleKeys, useKeys } from '../parts/keys.ts';
import { overlay } from './overlay.ts';
import { ROOMS } from './rooms.ts';

/** How long a key such as `g` waits for the next one. */
const SEQUENCE_MS = 1200;

/** The keys that work everywhere, and the one listener that runs all bindings. */
export function useGlobalKeys(): void {
  const navigate = useNavigate();
  const rooms = ROOMS.flatMap(({ navigation }) => (navigation === undefined ? [] : [navigation]));
  useKeys([
    { keys: 'mod+k', label: 'Search and commands', group: 'Everywhere', run: () => overlay.set('palette') },
    { keys: '?', label: 'Keyboard shortcuts', group: 'Everywhere', run: () => overlay.set('keys') },
    { keys: '/', label: 'To the filter or search field of the page', group: 'Everywhere', run: focusFilter },
    ...rooms.map(({ key, label, to }) => ({
      keys: `g ${key}`,
      label,
      group: 'Go to',
      run: () => void navigate({ to }),
    })),
  ]);
  useEffect(listen, []);
}

function focusFilter(): void {
  document.querySelector<HTMLElement>('main [data-filter]')?.focus();
}

function listen(): () => void {
  let begun: { readonly keys: string; readonly at: number } | undefined;
  const onKey = (event: KeyboardEvent): void => {
    if (
      event.defaultPrevented ||
      event.isComposing ||
      ['Control', 'Shift', 'Alt', 'Meta'].includes(event.key)
    ) {
      return;
    }
    if (event.target instanceof Element && event.target.closest('[data-keys=off]') !== null) return;
    const key = pressed(event);
    const isChord = key.startsWith('mod+');
    if (
      !isChord &&
      (singleKeys.get() === 'off' || takesText(event.composedPath()[0]) || overlay.get() !== 'none')
    )
      return;
    const recent = begun !== undefined && event.timeStamp - begun.at < SEQUENCE_MS ? begun.keys : undefined;
    const sequence = recent === undefined ? key : `${recent} ${key}`;
    const all = bindings.get();
    const find = (keys: string): KeyBinding | undefined => all.findLast((binding) => binding.keys === keys);
    const found = find(sequence) ?? find(key);
    begun = undefined;
    if (found !== undefined) {
      event.preventDefault();
      found.run();
    } else if (all.some(({ keys }) => keys.startsWith(`${key} `))) {
      begun = { keys: key, at: event.timeStamp };
    }
  };
  window.addEventListener('keydown', onKey);
  return () => window.removeEventListener('keydown', onKey);
}

/** Whether a key typed here is text, or belongs to a window over the page. Of an editor in a shadow root it is the inner element. */
function takesText(target: EventTarget | undefined): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const field = 'input:not([type=checkbox], [type=radio], [type=button]), textarea, select';
  return target.isContentEditable || target.closest(`${field}, [role=dialog], [role=alertdialog]`) !== null;
}
