import { ApiError, InvalidRequestError } from '@steadyhand/contracts';
import { type ContentBlockParam, type FileContents, resolveFiles } from '@steadyhand/messages';
import type { GivenEvent, UserEvent } from './user-events.ts';

/** An event's content blocks in the form of the Messages API; none where it has no content. */
function contentOf({ body }: GivenEvent): ContentBlockParam[] {
  return 'content' in body && body.content !== undefined ? ([...body.content] as ContentBlockParam[]) : [];
}

/** The error with its path in the client's body. */
function placed(error: unknown, field: string): unknown {
  if (!(error instanceof InvalidRequestError)) return error;
  const message = error.message.replace(/^messages\.(\d+)\./, (_, index: string) => `${field}.${index}.`);
  return new InvalidRequestError(message, error.details);
}

/**
 * Replaces the ids of uploaded files in events by the files' bytes, so that later changes of a file change no
 * conversation.
 *
 * @param field the field of the body that holds the events
 * @throws {ApiError} `not_found_error` for a file that is unknown or expired, `request_too_large` for more than 32 MB
 *   of them
 * @throws {InvalidRequestError} for a file whose type does not fit its block, or that breaks the rules for pictures and
 *   PDFs
 */
export async function withFileBytes(
  events: readonly GivenEvent[],
  files: FileContents,
  field: string,
): Promise<readonly UserEvent[]> {
  const messages = events.map((event) => ({ role: 'user' as const, content: contentOf(event) }));
  const resolved = await resolveFiles({ model: '', messages }, files).catch((error: unknown) => {
    throw error instanceof ApiError ? placed(error, field) : error;
  });
  return events.map((event, index) => {
    const content = resolved.messages[index]?.content;
    return ('content' in event.body && event.body.content !== undefined
      ? { ...event, body: { ...event.body, content } }
      : event) as unknown as UserEvent;
  });
}
