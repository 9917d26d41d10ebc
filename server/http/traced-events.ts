import type { Tracing } from '@steadyhand/contracts';
import type { SerializedEvent } from '@steadyhand/sessions';

/**
 * Tells that events were sent to a client: each belongs to the trace by which it came into the event log, and is linked to the
 * request for the stream.
 * @param began when the first of them was about to be written, in milliseconds since 1970
 */
export function tellSent(
  tracing: Tracing,
  session: string,
  events: readonly SerializedEvent[],
  began: number,
): void {
  const stream = tracing.current();
  for (const { trace, type, id } of events) {
    if (trace === undefined) continue;
    tracing
      .begin(`send ${type}`, {
        kind: 'producer',
        parent: trace,
        links: stream === undefined ? [] : [stream],
        start: began,
        attributes: {
          'gen_ai.conversation.id': session,
          'steadyhand.event_id': id,
          'steadyhand.event_type': type,
        },
      })
      .end();
  }
}
