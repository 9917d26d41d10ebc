import {
  type ContentBlock,
  type KnownTurn,
  type MessageParam,
  type Recording,
  TurnRecorder,
} from '@steadyhand/messages';
import type { Store } from '@steadyhand/store';
import { toolDefinitions } from './agents/tools.ts';
import { fromStored } from './events/log-event.ts';
import { is, type LogEvent, type ReplyMark } from './events/types.ts';
import { isBlobBlock } from './log/blob-sources.ts';
import { Projection, type ProjectedMessage, projectLog } from './log/project.ts';
import { systemOf } from './system-prompt.ts';
import { dataOf, requireSession } from './record/session-data.ts';
import { timeSlices, type TimeSlices } from './stream/time-slices.ts';

/** The events of one reply in the log, with the end of its request where that carries the reply's mark. */
interface LoggedReply {
  readonly mark: ReplyMark;
  readonly events: LogEvent[];
}

const isReplyEvent = is('agent.message', 'agent.thinking', 'agent.tool_use', 'agent.custom_tool_use');

/**
 * The reply that an event belongs to. The end of a request belongs to its reply too, as a reply may have no content.
 */
function markOf(event: LogEvent): ReplyMark | undefined {
  const own = event.internal.reply;
  if (isReplyEvent(event)) return own ?? { id: event.id, cursor: event.seq - 1 };
  return event.type === 'span.model_request_end' ? own : undefined;
}

function repliesIn(log: readonly LogEvent[]): LoggedReply[] {
  const replies: LoggedReply[] = [];
  for (const event of log) {
    const mark = markOf(event);
    if (mark === undefined) continue;
    const last = replies.at(-1);
    if (last?.mark.id === mark.id && last.mark.cursor === mark.cursor) last.events.push(event);
    else replies.push({ mark, events: [event] });
  }
  return replies;
}

/** What the model was shown before a reply, and the blocks of the reply. */
interface Turn {
  readonly before: readonly ProjectedMessage[];
  readonly content: readonly object[];
}

/** Finds the turns of a log, one after the other; each continues from where the one before it ended. */
function turnsOf(log: readonly LogEvent[]): (reply: LoggedReply) => Turn {
  const projection = new Projection();
  let taken = 0;
  const takeUpTo = (seq: number): void => {
    for (let event = log[taken]; event !== undefined && event.seq <= seq; event = log[taken]) {
      projection.take(event);
      taken += 1;
    }
  };
  return ({ mark, events }) => {
    // A reply without content left nothing in the conversation, so the projection continues as if there had been none.
    if (!events.some(isReplyEvent)) return { before: projectLog(log, mark.cursor), content: [] };
    takeUpTo(mark.cursor);
    const before = projection.shownAt(mark.cursor);
    takeUpTo(events.at(-1)?.seq ?? 0);
    return { before, content: projection.replyBlocks };
  };
}

/** A message with its pictures as hashes: their bytes are not part of a recording. */
function withHashes({ role, content }: ProjectedMessage): MessageParam {
  const hashed = (block: object): object => {
    if (isBlobBlock(block)) {
      const { media_type, sha256 } = block.source;
      return { ...block, source: { type: 'sha256', media_type, sha256 } };
    }
    return 'content' in block && Array.isArray(block.content)
      ? { ...block, content: (block.content as object[]).map(hashed) }
      : block;
  };
  return { role, content: content.map(hashed) } as MessageParam;
}

function usageOf(end: LogEvent | undefined): KnownTurn['reply']['usage'] {
  const usage = end?.type === 'span.model_request_end' ? end.body.model_usage : undefined;
  return {
    input_tokens: usage?.input_tokens ?? 0,
    output_tokens: usage?.output_tokens ?? 0,
    cache_read_input_tokens: usage?.cache_read_input_tokens ?? 0,
    cache_creation_input_tokens: usage?.cache_creation_input_tokens ?? 0,
  };
}

/**
 * A session as a recording that the `replay` provider answers from: what the model was shown before each of its
 * replies, and the reply. It is made from the event log alone.
 *
 * @throws {NotFoundError} for an unknown session.
 */
export async function sessionRecording(
  store: Store,
  session: string,
  slices: TimeSlices = timeSlices,
): Promise<Recording> {
  const data = dataOf(await requireSession(store, session));
  const system = systemOf(data);
  const fields = { ...(system === null ? {} : { system }), tools: toolDefinitions(data.agent.tools) };
  const model = data.agent.model.id;
  const log = await readWholeLog(store, session, slices);
  const turnOf = turnsOf(log);
  const recorder = new TurnRecorder();
  // A message of the conversation is the same object in each turn, so it is converted and hashed once.
  const messages = new WeakMap<ProjectedMessage, MessageParam>();
  const messageOf = (projected: ProjectedMessage): MessageParam => {
    const message = messages.get(projected) ?? withHashes(projected);
    messages.set(projected, message);
    return message;
  };
  const ends = log.filter(is('span.model_request_end'));
  let passed = 0;
  for (const reply of repliesIn(log)) {
    await slices.run(() => {
      const last = reply.events.at(-1)?.seq ?? 0;
      while ((ends[passed]?.seq ?? Infinity) < last) passed += 1;
      const { before, content } = turnOf(reply);
      recorder.add({
        request: { ...fields, messages: before.map(messageOf) },
        reply: { id: reply.mark.id, model, content: content.map(asReplied), usage: usageOf(ends[passed]) },
      });
    });
  }
  return recorder.finish({ session_id: session, model });
}

const asReplied = (block: object): ContentBlock =>
  ('type' in block && block.type === 'text' ? { ...block, citations: null } : block) as ContentBlock;

const LOG_PAGE = { limit: 100, maxCharacters: 256 * 1024 } as const;

/** Reads a session's whole log page by page, in slices of time. */
async function readWholeLog(store: Store, session: string, slices: TimeSlices): Promise<readonly LogEvent[]> {
  const log: LogEvent[] = [];
  for (;;) {
    const after = log.at(-1)?.seq ?? 0;
    const events = await slices.run(() => store.events.read({ session, after, ...LOG_PAGE }));
    if (events.length === 0) return log;
    log.push(...events.map(fromStored));
  }
}
