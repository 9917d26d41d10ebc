import { useEffect, useReducer } from 'react';
import { call, listEvents, RequestFailedError, type Session, type SessionEvent } from '../client/api.ts';
import { followEvents } from '../client/event-stream.ts';

interface SessionView {
  readonly session: Session | undefined;
  /** The state of the session's state machine. */
  readonly state: string | null;
  readonly events: readonly SessionEvent[];
  readonly connected: boolean;
  /** Why there is nothing to show, or why it is not current. */
  readonly problem: string | undefined;
  /** There is no such session (any more). */
  readonly gone: boolean;
}

type Action =
  | { readonly type: 'session'; readonly session: Session; readonly state: string | null }
  | { readonly type: 'history'; readonly events: readonly SessionEvent[] }
  | { readonly type: 'event'; readonly event: SessionEvent }
  | { readonly type: 'connected' }
  | { readonly type: 'problem'; readonly error: unknown };

const EMPTY: SessionView = {
  session: undefined,
  state: null,
  events: [],
  connected: false,
  problem: undefined,
  gone: false,
};

function reduce(view: SessionView, action: Action): SessionView {
  switch (action.type) {
    case 'session':
      return { ...view, session: action.session, state: action.state };
    case 'history': {
      // The stream was opened first, so the history may hold events that the stream brought already.
      const known = new Set(action.events.map(({ id }) => id));
      const newer = view.events.filter(({ id }) => !known.has(id));
      const listed = new Set(view.events.map(({ id }) => id));
      const missed = action.events.some(({ id }) => !listed.has(id));
      return missed ? { ...view, events: [...action.events, ...newer] } : view;
    }
    case 'event':
      if (action.event.type === 'session.deleted') return { ...view, gone: true };
      return view.events.some(({ id }) => id === action.event.id)
        ? view
        : { ...view, events: [...view.events, action.event] };
    case 'connected':
      return { ...view, connected: true, problem: undefined };
    case 'problem': {
      const missing = action.error instanceof RequestFailedError && action.error.status === 404;
      const problem = action.error instanceof Error ? action.error.message : String(action.error);
      return { ...view, connected: false, problem, gone: view.gone || missing };
    }
  }
}

/** Follows one session: its record, its events as they happen, and the state of the connection. */
export function useSession(id: string): SessionView {
  const [view, dispatch] = useReducer(reduce, EMPTY);

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const guarded = (work: () => Promise<void>): void => {
      work().catch((error: unknown) => {
        if (!signal.aborted) dispatch({ type: 'problem', error });
      });
    };
    const refresh = onceAtATime(async () => {
      const params = { id };
      const [session, { state }] = await Promise.all([
        call('GET /v1/sessions/{id}', { params, signal }),
        call('GET /v1/sessions/{id}/state', { params, signal }),
      ]);
      dispatch({ type: 'session', session, state });
    });
    const listener = {
      opened: () => {
        dispatch({ type: 'connected' });
        guarded(async () => dispatch({ type: 'history', events: await listEvents(id, signal) }));
        guarded(refresh);
      },
      event: (event: SessionEvent) => {
        dispatch({ type: 'event', event });
        if (event.type !== 'session.deleted') guarded(refresh);
        else leaving.abort();
      },
      lost: (error: unknown) => {
        dispatch({ type: 'problem', error });
        if (error instanceof RequestFailedError && error.status === 404) leaving.abort();
      },
    };
    void followEvents(id, listener, signal);
    return () => leaving.abort();
  }, [id]);

  return view;
}

/** Runs the work now, or once more after the run under way: many calls in a row lead to two runs. */
function onceAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again = false;
  const run = async (): Promise<void> => {
    try {
      do {
        again = false;
        await work();
      } while (again);
    } finally {
      // This happens in the same tick as the last check of `again`: a call in between would be lost.
      running = undefined;
    }
  };
  return () => {
    again = true;
    running ??= run();
    return running;
  };
}
