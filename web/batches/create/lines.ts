/** Lines of JSON that are to become a batch: one request a line, as in `{"custom_id": "a", "params": {…}}`. */

/** As the server takes it. */
export const MOST_REQUESTS = 100_000;
export const MOST_BYTES = 256 * 1024 * 1024;

/** How many faults are told; the rest is counted. */
const MOST_FAULTS = 100;
/** After so many lines the page may do other things. */
const LINES_AT_ONCE = 2000;

export interface LineFault {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

export interface CheckedLines {
  /** The lines without fault, as they were written. */
  readonly requests: readonly string[];
  /** The first hundred. */
  readonly faults: readonly LineFault[];
  readonly faulty: number;
}

/**
 * Says what is wrong with a line, naming the field; undefined where nothing is. The server checks the rest when a request's turn
 * comes.
 * @param taken the names so far with their lines; this line's is added
 */
function lineFault(text: string, line: number, taken: Map<string, number>): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `This is no JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (!isObject(value)) return 'Expected an object with custom_id and params.';
  const { custom_id: name, params, ...others } = value;
  const [other] = Object.keys(others);
  if (other !== undefined) return `${other}: only custom_id and params are expected.`;
  if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name))
    return 'custom_id: expected 1 to 64 letters, digits, _ or -.';
  const first = taken.get(name);
  if (first !== undefined) return `custom_id: “${name}” is the name of line ${first} already.`;
  taken.set(name, line);
  return paramsFault(params);
}

function paramsFault(params: unknown): string | undefined {
  if (!isObject(params)) return 'params: expected an object, a body of POST /v1/messages.';
  const { model, max_tokens, messages, stream } = params;
  if (typeof model !== 'string' || model === '') return 'params.model: expected the name of a model.';
  if (!Number.isInteger(max_tokens) || Number(max_tokens) < 1)
    return 'params.max_tokens: expected a whole number above 0.';
  if (!Array.isArray(messages) || messages.length === 0)
    return 'params.messages: expected a list with at least one message.';
  return stream === true ? 'params.stream: a batch streams nothing; leave it out.' : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Checks each line of a text or a file, which is read piece by piece. Empty lines are passed over. */
export async function checkLines(source: Blob): Promise<CheckedLines> {
  const requests: string[] = [];
  const faults: LineFault[] = [];
  const taken = new Map<string, number>();
  let faulty = 0;
  let line = 0;
  for await (const text of linesOf(source)) {
    line += 1;
    if (line % LINES_AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve));
    if (text.trim() === '') continue;
    const fault = lineFault(text, line, taken);
    if (fault === undefined) {
      requests.push(text);
      continue;
    }
    faulty += 1;
    if (faults.length < MOST_FAULTS) faults.push({ line, text: fault });
  }
  return { requests, faults, faulty };
}

async function* linesOf(source: Blob): AsyncGenerator<string> {
  const reader = source.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** The body that makes the batch, of lines without fault. They are sent as they were written. */
export function bodyOf(requests: readonly string[]): Blob {
  const parts = requests.flatMap((request, index) => (index === 0 ? [request] : [',', request]));
  return new Blob(['{"requests":[', ...parts, ']}']);
}

export interface PromptFields {
  readonly model: string;
  readonly maxTokens: string;
  readonly system: string;
  /** One a line. */
  readonly prompts: string;
}

/** A request for each prompt, as a line. */
export function linesOfPrompts({ model, maxTokens, system, prompts }: PromptFields): string {
  return prompts
    .split('\n')
    .map((prompt) => prompt.trim())
    .filter((prompt) => prompt !== '')
    .map((prompt, index) =>
      JSON.stringify({
        custom_id: `request-${index + 1}`,
        params: {
          model: model.trim(),
          max_tokens: Number(maxTokens),
          ...(system.trim() === '' ? {} : { system: system.trim() }),
          messages: [{ role: 'user', content: prompt }],
        },
      }),
    )
    .join('\n');
}
