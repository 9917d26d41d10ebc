import { useNavigate, useSearch } from '@tanstack/react-router';
import type { TimeView } from '../timeline/view.ts';

/** What of a history is shown, in the address. What is absent is as it is at first. */
export interface ViewSearch {
  /** What is searched for in the compact history. */
  readonly find?: string;
  readonly order?: 'last';
  /** Workflow tasks are shown, too. */
  readonly tasks?: true;
  /** The stretch of time that the timeline shows, in milliseconds since 1970; both or neither. */
  readonly from?: number;
  readonly to?: number;
}

export function viewSearch({ find, order, tasks, from, to }: Record<string, unknown>): ViewSearch {
  // A text of digits alone is a number to whoever reads an address.
  const text = typeof find === 'string' || typeof find === 'number' ? String(find) : '';
  const isStretch = Number.isSafeInteger(from) && Number.isSafeInteger(to) && Number(from) < Number(to);
  return {
    ...(text === '' ? {} : { find: text }),
    ...(order === 'last' ? { order } : {}),
    ...(tasks === true ? { tasks } : {}),
    ...(isStretch ? { from: Number(from), to: Number(to) } : {}),
  };
}

export const viewOf = ({ from, to }: ViewSearch): TimeView | undefined =>
  from === undefined || to === undefined ? undefined : { from, to };

type ViewChange = { readonly [Key in keyof ViewSearch]: ViewSearch[Key] | undefined };

/** What the address says of the view, and a way to say something else; undefined takes a word out of it. */
export function useViewSearch(): readonly [ViewSearch, (change: ViewChange) => void] {
  const search = viewSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (next: ViewChange): void =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) =>
        Object.fromEntries(
          Object.entries({ ...before, ...next }).filter(([, value]) => value !== undefined),
        ) as never,
      replace: true,
      resetScroll: false,
    });
  return [search, change];
}
