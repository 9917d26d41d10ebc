import {
  recordTurns,
  type ContentBlock,
  type KnownTurn,
  type MessageParam,
  type Recording,
} from '../messages/index.ts';
import type { Store } from '../store/index.ts';
import { toolDefinitions } from './agents/tools.ts';
import { is, type BlobSource, type LogEvent, type ReplyMark } from './events/types.ts';
import { replaceBlobs } from './log/blob-sources.ts';
import { readLog } from './log/append.ts';
import { type ProjectedMessage, projectLog } from './log/project.ts';
import { systemOf } from './system-of.ts';
import { dataOf } from './session-data.ts';
import { NotFound } from './validate.ts';

/** The events of one reply. */
interface Said {
  readonly mark: ReplyMark;
  /** The seq of its last event. */
  last: number;
}

const SAID = is('agent.message', 'agent.thinking', 'agent.tool_use', 'agent.custom_tool_use');

/** The reply that an event is a part of. The end of its request is one too: a reply may say nothing. */
function markOf(event: LogEvent): ReplyMark | undefined {
  const own = event.internal.reply;
  if (SAID(event)) return own ?? { id: event.id, cursor: event.seq - 1 };
  return event.type === 'span.model_request_end' ? own : undefined;
}

function repliesIn(log: readonly LogEvent[]): Said[] {
  const replies: Said[] = [];
  for (const event of log) {
    const mark = markOf(event);
    if (mark === undefined) continue;
    const last = replies.at(-1);
    if (last?.mark.id === mark.id && last.mark.cursor === mark.cursor) last.last = event.seq;
    else replies.push({ mark, last: event.seq });
  }
  return replies;
}

/** Pictures by their hash: the bytes are not part of a recording. */
async function withHashes(messages: readonly ProjectedMessage[]): Promise<MessageParam[]> {
  const hashed = async ({ sha256, media_type }: BlobSource): Promise<object> => ({
    type: 'sha256',
    media_type,
    sha256,
  });
  const inBlock = async (block: object): Promise<object> =>
    'content' in block && Array.isArray(block.content)
      ? { ...block, content: await replaceBlobs(block.content as object[], hashed) }
      : block;
  return await Promise.all(
    messages.map(async ({ role, content }) => {
      const blocks = await Promise.all(content.map(inBlock));
      return { role, content: await replaceBlobs(blocks, hashed) } as MessageParam;
    }),
  );
}

/** What the reply added to the conversation: an assistant's turn, or the rest of one that it went on with. */
function replyContent(
  before: readonly ProjectedMessage[],
  after: readonly ProjectedMessage[],
): ContentBlock[] {
  // What follows it are the results that its tool uses had not yet.
  const turns = (messages: readonly ProjectedMessage[]): number =>
    messages.filter(({ role }) => role === 'assistant').length;
  const last = after.findLast(({ role }) => role === 'assistant');
  const goesOn = before.at(-1)?.role === 'assistant';
  if (last?.role !== 'assistant' || (!goesOn && turns(after) === turns(before))) return [];
  const begun = goesOn ? (before.at(-1)?.content.length ?? 0) : 0;
  return last.content.slice(begun).map((block) => {
    return (block.type === 'text' ? { ...block, citations: null } : block) as ContentBlock;
  });
}

function usageAfter(log: readonly LogEvent[], seq: number): KnownTurn['reply']['usage'] {
  const end = log.filter(is('span.model_request_end')).find((event) => event.seq >= seq);
  const { input_tokens = 0, output_tokens = 0 } = end?.body.model_usage ?? {};
  return {
    input_tokens,
    output_tokens,
    cache_read_input_tokens: end?.body.model_usage.cache_read_input_tokens ?? 0,
    cache_creation_input_tokens: end?.body.model_usage.cache_creation_input_tokens ?? 0,
  };
}

/**
 * A session as a recording that the `replay` provider answers from: what the model was shown before each of its replies,
 * and the reply. The log is all that it is made of.
 *
 * @throws {NotFound} for an unknown session.
 */
export async function sessionRecording(store: Store, session: string): Promise<Recording> {
  const record = await store.sessions.get(session);
  if (record === undefined) throw new NotFound('Session', session);
  const data = dataOf(record);
  const { agent } = data;
  const system = systemOf(data);
  const log = await readLog(store, session);
  const known: KnownTurn[] = [];
  for (const { mark, last } of repliesIn(log)) {
    const before = projectLog(log, mark.cursor);
    const after = projectLog(
      log.filter((event) => event.seq <= mark.cursor || (event.seq <= last && isOf(event, mark))),
    );
    known.push({
      request: {
        ...(system === null ? {} : { system }),
        tools: toolDefinitions(agent.tools),
        messages: await withHashes(before),
      },
      reply: {
        id: mark.id,
        model: agent.model.id,
        content: replyContent(before, after),
        usage: usageAfter(log, last),
      },
    });
  }
  return recordTurns(known, { session_id: session, model: agent.model.id });
}

function isOf(event: LogEvent, { id, cursor }: ReplyMark): boolean {
  const mark = markOf(event);
  return mark?.id === id && mark.cursor === cursor;
}
