import { type RefObject, useEffect, useRef, useState } from 'react';
import { RequestFailedError } from '../api.ts';
import { askForTicket, type Place } from './watching-api.ts';
import type { LiveConnection, LiveModule } from './live.ts';

const MODULE = '/static/app/live.js';
const BACKOFF_MS = [300, 1000, 2000, 5000];

export interface LiveScreenView {
  /** Where the screen is shown. */
  readonly target: RefObject<HTMLDivElement | null>;
  readonly state: 'connecting' | 'open' | 'gone';
  readonly problem: string | undefined;
}

/**
 * Keeps a screen shown, and connects again whenever the line is cut, until there is nothing to watch any more. With a takeover
 * the connection is its hand, and has the keyboard's focus as soon as it is open.
 */
export function useLiveScreen(place: Place, id: string, takeover: string | null): LiveScreenView {
  const target = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState<{ state: LiveScreenView['state']; takeover: string | null }>({
    state: 'connecting',
    takeover,
  });
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    const setState = (state: LiveScreenView['state']): void => setSeen({ state, takeover });
    let left = false;
    let failures = 0;
    let timer: number | undefined;
    let connection: LiveConnection | undefined;
    const again = (): void => {
      if (left) return;
      setState('connecting');
      timer = window.setTimeout(connect, BACKOFF_MS[Math.min(failures++, BACKOFF_MS.length - 1)]);
    };
    const open = async (): Promise<void> => {
      const [{ showScreen }, { ticket, path }] = await Promise.all([
        import(MODULE) as Promise<LiveModule>,
        askForTicket(place, id, takeover),
      ]);
      if (left || target.current === null) return;
      const url = new URL(path, window.location.href);
      url.protocol = url.protocol.replace('http', 'ws');
      connection = showScreen(target.current, {
        url: url.href,
        protocols: ['binary', `ticket.${ticket}`],
        acts: takeover !== null,
        onOpen: () => {
          failures = 0;
          setProblem(undefined);
          setState('open');
          if (takeover !== null) connection?.focus();
        },
        onClose: again,
      });
    };
    function connect(): void {
      open().catch((error: unknown) => {
        if (left) return;
        setProblem(error instanceof Error ? error.message : String(error));
        if (error instanceof RequestFailedError && error.status === 404) setState('gone');
        else again();
      });
    }
    setState('connecting');
    connect();
    return () => {
      left = true;
      window.clearTimeout(timer);
      connection?.close();
    };
  }, [place, id, takeover]);

  // Until its own connection is open a takeover is not there yet, whatever the one before it shows.
  const state = seen.takeover === takeover || seen.state === 'gone' ? seen.state : 'connecting';
  return { target, state, problem };
}
