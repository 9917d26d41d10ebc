import { useEffect, useRef, useState } from 'react';
import { handBack, newestTakeover, type Place, takeOver } from './watching-api.ts';
import { type Action, useAction } from '../use-action.ts';

const LOOK_MS = 1500;

export interface TakeoverView {
  /** This page's own takeover while it may act. */
  readonly mine: string | null;
  /** Asked for; the agent's action has not ended yet. */
  readonly waiting: boolean;
  /** Somebody else has mouse and keyboard. */
  readonly taken: boolean;
  readonly action: Action;
  readonly take: (hideKeys: boolean) => void;
  readonly giveBack: () => void;
}

/** Who has mouse and keyboard, and taking them. What this page took ends with it, within the server's time for that. */
export function useTakeover(place: Place, id: string): TakeoverView {
  const [own, setOwn] = useState<string | null>(null);
  const [newest, setNewest] = useState<{ readonly id: string; readonly status: string } | null>(null);
  const action = useAction();
  /** Counts what this page did: what was asked before that is no news after it. */
  const deeds = useRef(0);

  useEffect(() => {
    let left = false;
    const look = async (): Promise<void> => {
      const before = deeds.current;
      const found = await newestTakeover(place, id);
      if (left || before !== deeds.current) return;
      setNewest(found);
      if (found?.status === 'ended') setOwn((held) => (held === found.id ? null : held));
    };
    // What cannot be known now is asked again; that the server cannot be reached shows elsewhere.
    const timer = window.setInterval(() => void look().catch(() => undefined), LOOK_MS);
    void look().catch(() => undefined);
    return () => {
      left = true;
      window.clearInterval(timer);
    };
  }, [place, id]);

  const isActive = newest?.status === 'active';
  return {
    mine: own !== null && isActive && newest.id === own ? own : null,
    waiting: own !== null && !(isActive && newest.id === own),
    taken: isActive && newest.id !== own,
    action,
    take: (hideKeys) =>
      action.run(async () => {
        const taken = await takeOver(place, id, hideKeys);
        deeds.current += 1;
        setOwn(taken.id);
        if (taken.status === 'active') setNewest(taken);
      }),
    giveBack: () =>
      action.run(async () => {
        if (own !== null) await handBack(place, id, own);
        deeds.current += 1;
        setOwn(null);
        setNewest(null);
      }),
  };
}
