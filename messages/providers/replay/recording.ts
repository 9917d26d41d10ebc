import { z } from 'zod';
import type { Message } from '../../api/api-types.ts';
import { parsedJson } from '../../api/is-record.ts';
import { type PlainMessage, type PlainRequest, replyMessage, type RequestFields } from './plain-request.ts';

/** One request and its reply. Absent fields are the same as in the turn that `after` names. */
export interface RecordedTurn {
  /** The turn's id within the recording, which is a hash of the whole request. */
  readonly id: string;
  /** The id of the turn that this one continues. Its messages and its reply come before `messages`. */
  readonly after?: string;
  /** The other fields of the request. Fields that are not recorded are not compared. */
  readonly request?: RequestFields;
  /** All messages, or those that are new since the turn that `after` names. */
  readonly messages: readonly PlainMessage[];
  readonly reply: Message;
}

/** A session recording: the replies of a model and the requests that they answered. */
export interface Recording {
  readonly type: 'recording';
  readonly version: 1;
  /** The origin for human readers, such as `{session_id, model}`. */
  readonly source?: Readonly<Record<string, unknown>>;
  readonly turns: readonly RecordedTurn[];
}

/** A line of the file that `withRecording` writes. */
export type RecordedLine = RecordedTurn & { readonly type: 'recorded_turn'; readonly version: 1 };

const block = z.looseObject({ type: z.string() });
const turn = z.looseObject({
  id: z.string().min(1),
  after: z.string().optional(),
  request: z.looseObject({}).optional(),
  messages: z.array(
    z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content: z.array(block) }),
  ),
  reply: z.looseObject({
    type: z.literal('message'),
    role: z.literal('assistant'),
    content: z.array(block),
    stop_reason: z.string(),
    usage: z.looseObject({ input_tokens: z.number(), output_tokens: z.number() }),
  }),
});
const whole = z.looseObject({ type: z.literal('recording'), version: z.literal(1), turns: z.array(turn) });
const line = turn.extend({ type: z.literal('recorded_turn'), version: z.literal(1) });

/** A recording that cannot be used; the message says where and what was expected. */
export class RecordingUnreadableError extends Error {
  override readonly name = 'RecordingUnreadableError';
}

/** @throws {RecordingUnreadableError} */
function checkRecording(value: unknown): Recording {
  return checked(whole, value, '') as unknown as Recording;
}

/**
 * Reads a recording: one JSON object, or a line for each turn as `withRecording` writes them. A last line that was cut
 * short when its writer died is skipped.
 *
 * @throws {RecordingUnreadableError}
 */
export function parseRecording(text: string): Recording {
  const value = parsedJson(text);
  if (value !== undefined && !isLine(value)) return checkRecording(value);
  const lines = text.split('\n').filter((each) => each.trim() !== '');
  const turns = lines.flatMap((each, index): RecordedTurn[] => {
    const read = parsedJson(each);
    if (read !== undefined) return [checked(line, read, `line ${index + 1}: `) as unknown as RecordedTurn];
    if (index === lines.length - 1 && index > 0) return [];
    throw new RecordingUnreadableError(`line ${index + 1}: expected JSON`);
  });
  return { type: 'recording', version: 1, turns };
}

function isLine(value: unknown): boolean {
  return line.pick({ type: true }).safeParse(value).success;
}

function checked(schema: z.ZodType, value: unknown, where: string): unknown {
  const result = schema.safeParse(value);
  if (result.success) return value;
  const [issue] = result.error.issues;
  throw new RecordingUnreadableError(`${where}${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

/** Puts together the whole requests of turns. */
export class RecordedRequests {
  readonly #turns: ReadonlyMap<string, RecordedTurn>;
  readonly #places = new Map<string, number>();

  constructor({ turns }: Recording) {
    this.#turns = new Map(turns.map((each) => [each.id, each]));
  }

  /** The number of replies before a turn in its conversation. */
  placeOf(recorded: RecordedTurn): number {
    const known = this.#places.get(recorded.id);
    if (known !== undefined) return known;
    const own = recorded.messages.filter(({ role }) => role === 'assistant').length;
    const before = recorded.after === undefined ? undefined : this.#turns.get(recorded.after);
    // The place is set first to end the recursion for turns that continue each other in a circle.
    this.#places.set(recorded.id, own);
    const place = before === undefined ? own : this.placeOf(before) + 1 + own;
    this.#places.set(recorded.id, place);
    return place;
  }

  /** @throws {RecordingUnreadableError} when a turn continues one that does not exist */
  of(recorded: RecordedTurn): PlainRequest {
    const chain: RecordedTurn[] = [];
    let at: RecordedTurn | undefined = recorded;
    while (at !== undefined && !chain.includes(at)) {
      chain.unshift(at);
      if (at.after === undefined) break;
      const before = this.#turns.get(at.after);
      if (before === undefined)
        throw new RecordingUnreadableError(`turn ${at.id}: no turn has the id ${at.after}`);
      at = before;
    }
    let fields: RequestFields = {};
    const messages: PlainMessage[] = [];
    for (const [index, each] of chain.entries()) {
      fields = each.request ?? fields;
      messages.push(...each.messages);
      if (index < chain.length - 1) messages.push(replyMessage(each.reply));
    }
    return { ...fields, messages };
  }
}
