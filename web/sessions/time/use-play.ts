import { useEffect, useState } from 'react';
import type { MomentView } from './use-moment.ts';

export const SPEEDS = [1, 2, 4, 8, 16] as const;
export type Speed = (typeof SPEEDS)[number];

export interface Playing {
  readonly playing: boolean;
  readonly speed: Speed;
  readonly setSpeed: (speed: Speed) => void;
  /** Begins, from the first moment where the newest is shown; or stops. */
  readonly toggle: () => void;
}

/** Nobody wants to watch an hour of waiting. */
const LONGEST_MS = 3000;
const SHORTEST_MS = 60;

/** Plays a session in its own rhythm, faster if wished, to its newest moment. */
export function usePlay({ moments, held, go }: MomentView): Playing {
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>(1);
  useEffect(() => {
    if (!playing || held === undefined) return undefined;
    const [now, next] = [moments[held], moments[held + 1]];
    const gap = now === undefined || next === undefined ? 0 : next.at - now.at;
    const timer = window.setTimeout(
      () => {
        if (held + 1 >= moments.length - 1) setPlaying(false);
        go(held + 1);
      },
      Math.max(SHORTEST_MS, Math.min(LONGEST_MS, gap) / speed),
    );
    return () => window.clearTimeout(timer);
  }, [playing, held, moments, speed, go]);
  const toggle = (): void => {
    if (!playing && held === undefined) go(0);
    setPlaying(!playing && moments.length > 1);
  };
  return { playing, speed, setSpeed, toggle };
}
