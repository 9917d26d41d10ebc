import {
  type ContentBlock,
  type KnownTurn,
  type MessageParam,
  type Recording,
  TurnRecorder,
} from '@steadyhand/messages';
import type { Store } from '@steadyhand/store';
import { toolDefinitions } from './agents/tools.ts';
import { is, type LogEvent, type ReplyMark } from './events/types.ts';
import { Projection, type ProjectedMessage, projectLog } from './log/project.ts';
import { readWholeLog } from './log/read-pages.ts';
import { systemOf } from './system-of.ts';
import { dataOf } from './session-data.ts';
import { timeSlices, type TimeSlices } from './time-slices.ts';
import { NotFoundError } from './validate.ts';

/** The events of one reply: what it said, and the end of its request where that is marked. */
interface Said {
  readonly mark: ReplyMark;
  readonly events: LogEvent[];
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

/** The turns of a log one after the other, each from where the one before it ended. */
function turnsOf(log: readonly LogEvent[]): (said: Said) => Turn {
  const projection = new Projection();
  let taken = 0;
  const takeUpTo = (seq: number): void => {
    for (let event = log[taken]; event !== undefined && event.seq <= seq; event = log[taken]) {
      projection.take(event);
      taken += 1;
    }
  };
  return ({ mark, events }) => {
    // A reply without a word left nothing in the conversation: it goes on as if it had not been.
    if (!events.some(SAID)) return { before: projectLog(log, mark.cursor), content: [] };
    takeUpTo(mark.cursor);
    const before = projection.shownAt(mark.cursor);
    takeUpTo(events.at(-1)?.seq ?? 0);
    return { before, content: projection.said };
  };
}

/** Pictures by their hash: the bytes are not part of a recording. */
function withHashes({ role, content }: ProjectedMessage): MessageParam {
  const hashed = (block: object): object => {
    if ('source' in block && isBlob(block.source)) {
      const { media_type, sha256 } = block.source;
      return { ...block, source: { type: 'sha256', media_type, sha256 } };
    }
    return 'content' in block && Array.isArray(block.content)
      ? { ...block, content: (block.content as object[]).map(hashed) }
      : block;
  };
  return { role, content: content.map(hashed) } as MessageParam;
}

function isBlob(source: unknown): source is { readonly media_type: string; readonly sha256: string } {
  return typeof source === 'object' && source !== null && 'type' in source && source.type === 'blob';
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
 * A session as a recording that the `replay` provider answers from: what the model was shown before each of its replies,
 * and the reply. The log is all that it is made of.
 *
 * @throws {NotFoundError} for an unknown session.
 */
export async function sessionRecording(
  store: Store,
  session: string,
  slices: TimeSlices = timeSlices,
): Promise<Recording> {
  const record = await store.sessions.get(session);
  if (record === undefined) throw new NotFoundError('Session', session);
  const data = dataOf(record);
  const system = systemOf(data);
  const fields = { ...(system === null ? {} : { system }), tools: toolDefinitions(data.agent.tools) };
  const model = data.agent.model.id;
  const log = await readWholeLog(store, session, slices);
  const turnOf = turnsOf(log);
  const recorder = new TurnRecorder();
  // A message of the conversation is the same object in each turn, so that it is made and hashed once.
  const messages = new WeakMap<ProjectedMessage, MessageParam>();
  const messageOf = (projected: ProjectedMessage): MessageParam => {
    const message = messages.get(projected) ?? withHashes(projected);
    messages.set(projected, message);
    return message;
  };
  const ends = log.filter(is('span.model_request_end'));
  let passed = 0;
  for (const said of repliesIn(log)) {
    await slices.run(() => {
      const last = said.events.at(-1)?.seq ?? 0;
      while ((ends[passed]?.seq ?? Infinity) < last) passed += 1;
      const { before, content } = turnOf(said);
      recorder.add({
        request: { ...fields, messages: before.map(messageOf) },
        reply: { id: said.mark.id, model, content: content.map(asReplied), usage: usageOf(ends[passed]) },
      });
    });
  }
  return recorder.finish({ session_id: session, model });
}

const asReplied = (block: object): ContentBlock =>
  ('type' in block && block.type === 'text' ? { ...block, citations: null } : block) as ContentBlock;
