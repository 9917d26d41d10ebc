import type { EventGroup } from '../history/groups.ts';
import { panned, type TimeView, zoomed } from './view.ts';

/** What a key does to the view; undefined where it does nothing. */
export function viewAfterKey(key: string, view: TimeView, whole: TimeView): TimeView | 'whole' | undefined {
  const middle = (view.from + view.to) / 2;
  switch (key) {
    case 'ArrowLeft':
      return panned(view, -0.15, whole);
    case 'ArrowRight':
      return panned(view, 0.15, whole);
    case '+':
    case '=':
      return zoomed(view, 0.6, middle, whole);
    case '-':
      return zoomed(view, 1 / 0.6, middle, whole);
    case '0':
    case 'Home':
      return 'whole';
    default:
      return undefined;
  }
}

/** The group before or after the selected one; the first or last where none is. */
export function neighbour(
  groups: readonly EventGroup[],
  selected: EventGroup | undefined,
  step: 1 | -1,
): EventGroup | undefined {
  const at = selected === undefined ? -1 : groups.indexOf(selected);
  if (at < 0) return step === 1 ? groups[0] : groups.at(-1);
  return groups[at + step];
}
