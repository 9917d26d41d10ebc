import type { Store } from '../../store/index.ts';

/** A store that counts the events that are read from it. */
export function readCounter(store: Store): { readonly store: Store; readonly reads: { events: number } } {
  const reads = { events: 0 };
  const { events } = store;
  return {
    reads,
    store: {
      ...store,
      events: {
        ...events,
        async read(request) {
          const found = await events.read(request);
          reads.events += found.length;
          return found;
        },
        async find(session, id) {
          const found = await events.find(session, id);
          if (found !== undefined) reads.events += 1;
          return found;
        },
        async recorded(session, key) {
          const found = await events.recorded(session, key);
          reads.events += found?.events.length ?? 0;
          return found;
        },
        async append(request) {
          const appended = await events.append(request);
          if (appended.duplicate) reads.events += appended.events.length;
          return appended;
        },
      },
    },
  };
}
