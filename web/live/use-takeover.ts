import { useEffect, useRef, useState } from 'react';
import { handBack, newestTakeover, type Place, takeOver } from '../client/watching-api.ts';
import { type Action, useAction } from '../parts/use-action.ts';

const REFRESH_MS = 1500;

interface TakeoverView {
  /** This page's own takeover while it may act. */
  readonly mine: string | null;
  /** This page has asked for a takeover, and the agent's action has not ended yet. */
  readonly waiting: boolean;
  /** Somebody else has mouse and keyboard. */
  readonly taken: boolean;
  readonly action: Action;
  readonly take: (hideKeys: boolean) => void;
  readonly giveBack: () => void;
}

/**
 * Tells who has mouse and keyboard, and takes them or gives them back. A takeover of this page ends when the page is closed,
 * after the server's time limit for disconnected clients.
 */
export function useTakeover(place: Place, id: string): TakeoverView {
  const [own, setOwn] = useState<string | null>(null);
  const [newest, setNewest] = useState<{ readonly id: string; readonly status: string } | null>(null);
  const action = useAction();
  /** Counts this page's own changes: an answer to a request that was sent before the last of them is out of date. */
  const changes = useRef(0);

  useEffect(() => {
    let unmounted = false;
    const refresh = async (): Promise<void> => {
      const before = changes.current;
      const found = await newestTakeover(place, id);
      if (unmounted || before !== changes.current) return;
      setNewest(found);
      if (found?.status === 'ended') setOwn((held) => (held === found.id ? null : held));
    };
    // A failed request is repeated at the next interval; other parts of the page say that the server cannot be reached.
    const timer = window.setInterval(() => void refresh().catch(() => undefined), REFRESH_MS);
    void refresh().catch(() => undefined);
    return () => {
      unmounted = true;
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
        changes.current += 1;
        setOwn(taken.id);
        if (taken.status === 'active') setNewest(taken);
      }),
    giveBack: () =>
      action.run(async () => {
        if (own !== null) await handBack(place, id, own);
        changes.current += 1;
        setOwn(null);
        setNewest(null);
      }),
  };
}
