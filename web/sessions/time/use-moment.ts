import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { Turns } from '../turns/rows.ts';
import { type Moment, momentAt, momentsOf } from './moments.ts';

export interface MomentView {
  readonly moments: readonly Moment[];
  /** The place among them of the moment that the address names; undefined for the newest. */
  readonly held: number | undefined;
  /** Shows the moment of an event, or the newest. */
  readonly hold: (event: string | undefined) => void;
  /** Shows a moment by its place; the last place follows the newest. */
  readonly go: (index: number) => void;
}

/** The moment of the session that the page shows. The address holds it, so that a link shows the same. */
export function useMoment(turns: Turns): MomentView {
  const { at } = useSearch({ from: '/sessions/$id' });
  const navigate = useNavigate({ from: '/sessions/$id' });
  const moments = useMemo(() => momentsOf(turns), [turns]);
  const hold = useCallback(
    (event: string | undefined) =>
      void navigate({
        search: (before) => ({ ...before, at: event }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const held = useMemo(() => momentAt(moments, turns, at), [moments, turns, at]);
  const go = useCallback(
    (index: number) => {
      const last = moments.length - 1;
      hold(index >= last ? undefined : moments[Math.max(0, index)]?.id);
    },
    [moments, hold],
  );
  return { moments, held, hold, go };
}
