import { type RefObject, useEffect, useRef, useState } from 'react';
import { messageOf, RequestFailedError } from '../client/request.ts';
import { askForTicket, type Place } from '../client/watching-api.ts';
import type { LiveConnection, LiveModule } from './live.ts';

const MODULE = '/static/app/live.js';
const BACKOFF_MS = [300, 1000, 2000, 5000];

interface LiveScreenView {
  /** Where the screen is shown. */
  readonly target: RefObject<HTMLDivElement | null>;
  readonly state: 'connecting' | 'open' | 'gone';
  readonly problem: string | undefined;
}

/**
 * Keeps a screen shown and reconnects whenever the connection is lost, until there is nothing to watch any more. With a
 * takeover the connection carries mouse and keyboard, and takes the focus as soon as it is open.
 */
export function useLiveScreen(place: Place, id: string, takeover: string | null): LiveScreenView {
  const target = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<{ state: LiveScreenView['state']; takeover: string | null }>({
    state: 'connecting',
    takeover,
  });
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    const setState = (state: LiveScreenView['state']): void => setShown({ state, takeover });
    let unmounted = false;
    let failures = 0;
    let timer: number | undefined;
    let connection: LiveConnection | undefined;
    const reconnect = (): void => {
      if (unmounted) return;
      setState('connecting');
      timer = window.setTimeout(connect, BACKOFF_MS[Math.min(failures++, BACKOFF_MS.length - 1)]);
    };
    const open = async (): Promise<void> => {
      const [{ showScreen }, { ticket, path }] = await Promise.all([
        import(MODULE) as Promise<LiveModule>,
        askForTicket(place, id, takeover),
      ]);
      if (unmounted || target.current === null) return;
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
        onClose: reconnect,
      });
    };
    function connect(): void {
      open().catch((error: unknown) => {
        if (unmounted) return;
        setProblem(messageOf(error));
        if (error instanceof RequestFailedError && error.status === 404) setState('gone');
        else reconnect();
      });
    }
    setState('connecting');
    connect();
    return () => {
      unmounted = true;
      window.clearTimeout(timer);
      connection?.close();
    };
  }, [place, id, takeover]);

  // The state of an earlier connection says nothing about a takeover whose own connection is not open yet.
  const state = shown.takeover === takeover || shown.state === 'gone' ? shown.state : 'connecting';
  return { target, state, problem };
}
