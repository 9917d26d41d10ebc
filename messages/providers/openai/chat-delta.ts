import { z } from 'zod';
import { ProviderUnavailableError } from '../../api/errors.ts';

/**
 * The schema of a choice in a completion or a chunk. It is loose, since servers add fields of their own and omit empty
 * ones or set them to null. There are two names for the text of reasoning and two for the stop sequence.
 */
const text = z.string().nullish();
/** Some servers send a list of parts to separate reasoning and text. */
const content = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullish();
const call = z.looseObject({
  index: z.number().int().nullish(),
  id: text,
  function: z
    .looseObject({
      name: text,
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
});
const said = z.looseObject({
  content,
  refusal: text,
  reasoning_content: text,
  reasoning: text,
  tool_calls: z.array(call).nullish(),
});
/** A text, a token's number, or a list of either. */
const stoppedAt = z.unknown().optional();
const choice = z.looseObject({
  index: z.number().nullish(),
  delta: said.nullish(),
  message: said.nullish(),
  finish_reason: text,
  stop_reason: stoppedAt,
  matched_stop: stoppedAt,
});
const counts = z.looseObject({
  prompt_tokens: z.number().nullish(),
  completion_tokens: z.number().nullish(),
  prompt_tokens_details: z.looseObject({ cached_tokens: z.number().nullish() }).nullish(),
  completion_tokens_details: z.looseObject({ reasoning_tokens: z.number().nullish() }).nullish(),
});
const answer = z.looseObject({
  choices: z.array(choice).nullish(),
  usage: counts.nullish(),
});

/** A part of a tool call. */
export interface CallDelta {
  /** The number of its call in the reply, where the server gives one. */
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** The upstream's counts of tokens. */
export interface Counts {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number | undefined;
}

/** The content of a chunk of a stream, or of a whole completion. */
export interface ChatDelta {
  readonly thinking: string;
  readonly text: string;
  readonly refusal: string;
  readonly calls: readonly CallDelta[];
  readonly finish: string | undefined;
  /** The stop sequence that ended the reply, where the server names it. */
  readonly stoppedAt: string | undefined;
  readonly counts: Counts | undefined;
}

function partTexts(value: z.infer<typeof content>): { text: string; thinking: string } {
  if (value == null) return { text: '', thinking: '' };
  if (typeof value === 'string') return { text: value, thinking: '' };
  let words = '';
  let thoughts = '';
  for (const part of value) {
    if (part.type === 'text' && typeof part['text'] === 'string') words += part['text'];
    const thought = part['thinking'];
    if (typeof thought === 'string') thoughts += thought;
    else if (Array.isArray(thought)) thoughts += partTexts(thought as z.infer<typeof content>).text;
  }
  return { text: words, thinking: thoughts };
}

function callDelta({ id, function: called }: z.infer<typeof call>, index: number | undefined): CallDelta {
  const given = called?.arguments ?? '';
  return {
    index,
    id: id ?? '',
    name: called?.name ?? '',
    arguments: typeof given === 'string' ? given : JSON.stringify(given),
  };
}

/** Reads the counts. Some servers send zeros where they have none. */
function readCounts(usage: z.infer<typeof counts> | null | undefined): Counts | undefined {
  const { prompt_tokens: input, completion_tokens: output } = usage ?? {};
  if (input == null || output == null || input <= 0) return undefined;
  return {
    input,
    cached: Math.min(input, Math.max(0, usage?.prompt_tokens_details?.cached_tokens ?? 0)),
    output,
    reasoning: usage?.completion_tokens_details?.reasoning_tokens ?? undefined,
  };
}

/**
 * Reads the first choice of a completion or a chunk; no more are asked for.
 *
 * @throws {ProviderUnavailableError} when the value is neither
 */
export function readChat(value: unknown): ChatDelta {
  const parsed = answer.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ProviderUnavailableError(
      `the upstream's answer is no chat completion: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
    );
  }
  const { choices, usage } = parsed.data;
  const first = (choices ?? []).find(({ index }) => index == null || index === 0);
  const words = first?.message ?? first?.delta;
  const parts = partTexts(words?.content);
  const stopped = first?.stop_reason ?? first?.matched_stop;
  return {
    thinking: parts.thinking + (words?.reasoning_content ?? words?.reasoning ?? ''),
    text: parts.text,
    refusal: words?.refusal ?? '',
    // In a whole message each entry is a call; in a chunk an entry's number names its call.
    calls: (words?.tool_calls ?? []).map((entry, place) =>
      callDelta(entry, first?.message == null ? (entry.index ?? undefined) : place),
    ),
    finish: first?.finish_reason ?? undefined,
    stoppedAt: typeof stopped === 'string' ? stopped : undefined,
    counts: readCounts(usage),
  };
}
