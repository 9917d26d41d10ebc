import type { StreamEvent } from '@steadyhand/messages';
import { ReplyPreview, type SessionData } from '@steadyhand/sessions';
import { eventId } from '@steadyhand/store';
import type { ActivityDeps } from './deps.ts';

/**
 * Passes a reply's stream on unchanged and shows it to whoever follows the session. A session with secrets shows nothing,
 * because their values are taken out of a reply only once it is whole.
 *
 * @param key the key of the step that appends the reply's events
 * @param startId the id of the request's `span.model_request_start`
 */
export async function* withPreview(
  stream: AsyncIterable<StreamEvent>,
  { live }: Pick<ActivityDeps, 'live'>,
  { agent, secrets = [] }: Pick<SessionData, 'agent' | 'secrets'>,
  { session, key, startId }: { readonly session: string; readonly key: string; readonly startId: string },
): AsyncGenerator<StreamEvent, void, undefined> {
  if (live === undefined || secrets.length > 0) {
    yield* stream;
    return;
  }
  const writer = live.begin(session, startId);
  const preview = new ReplyPreview(
    agent.tools,
    (index) => eventId(session, key, index),
    (part) => writer.add(part),
  );
  try {
    for await (const event of stream) {
      preview.take(event);
      yield event;
    }
  } finally {
    writer.end();
  }
}
