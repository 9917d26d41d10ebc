import type { Tracing } from '@steadyhand/contracts';
import type { NewStoredEvent, Store } from '@steadyhand/store';

/**
 * The same store, in which an append is a span and each of its events knows it, for good: whoever tells of the event later, the
 * signal to the workflow or a stream, in whatever process, belongs to the trace by which the event came.
 */
export function tracedStore(store: Store, tracing: Tracing): Store {
  const append: Store['events']['append'] = (request) =>
    tracing.run(
      'append events',
      {
        attributes: {
          'gen_ai.conversation.id': request.session,
          'steadyhand.events': request.events.length,
          'steadyhand.step': request.key.startsWith('step/') ? request.key : undefined,
        },
      },
      ({ traceparent }) =>
        store.events.append({
          ...request,
          events: request.events.map((event) => withTrace(event, traceparent)),
        }),
    );
  const events = new Proxy(store.events, {
    get: (target, name) => (name === 'append' ? append : (Reflect.get(target, name) as unknown)),
  });
  return new Proxy(store, {
    get: (target, name) => (name === 'events' ? events : (Reflect.get(target, name) as unknown)),
  });
}

function withTrace(event: NewStoredEvent, trace: string): NewStoredEvent {
  return { ...event, internal: { ...event.internal, trace } };
}
