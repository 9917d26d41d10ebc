import { png, userSays } from '../../support.ts';
import { computerTool, fromModel } from '../../../support/blocks.ts';

/** A request that the API refuses, and its answer. */
export interface BadRequest {
  /** What is wrong with it. */
  readonly name: string;
  /** What differs from the valid request; `undefined` takes a field away. */
  readonly change?: object;
  /** In place of the valid request as JSON. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  /** Beside those that every client sends; null takes one away. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly path?: string;
  readonly status: number;
  readonly type: string;
  readonly message: string;
  /** Where the text was seen in an answer of the real API. */
  readonly seen?: string;
}

type More = Partial<Omit<BadRequest, 'name' | 'change' | 'message'>>;

/** The answer to most: 400, `invalid_request_error`. */
export function bad(name: string, change: object, message: string, more: More = {}): BadRequest {
  return { name, change, message, status: 400, type: 'invalid_request_error', ...more };
}

export const VALID = { model: 'script', max_tokens: 1024, messages: [userSays('- say: hello')] };

export const NOT_AN_OBJECT = 'Input should be a valid dictionary or object to extract fields from';
export const NOT_A_DICTIONARY = 'Input should be a valid dictionary';

export const bash = { type: 'bash_20241022', name: 'bash' };
export const editor = { type: 'text_editor_20241022', name: 'str_replace_editor' };
export const computer = computerTool('computer_20241022', 1024, 768);
export const weather = {
  name: 'get_weather',
  description: 'The weather at a place',
  input_schema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
};

export const tools = (...list: unknown[]): object => ({ tools: list });

/** More messages behind one of the user. */
export const messages = (...more: unknown[]): object => ({ messages: [userSays('hello'), ...more] });

/** One message of the user with these blocks. */
export const content = (...blocks: unknown[]): object => ({ messages: [{ role: 'user', content: blocks }] });

/** A message of the assistant with these blocks, between two of the user. */
export const assistant = (...blocks: unknown[]): object =>
  messages({ role: 'assistant', content: blocks }, userSays('and?'));

export const text = (value: string, more: object = {}): object => ({ type: 'text', text: value, ...more });

export const cache = (ttl?: string): object => ({
  cache_control: { type: 'ephemeral', ...(ttl === undefined ? {} : { ttl }) },
});

export const base64 = (data: string, media = 'image/png'): object => ({
  type: 'base64',
  media_type: media,
  data,
});
export const image = (source: object): object => content({ type: 'image', source });
export const picture = (width: number, height: number): object => ({
  type: 'image',
  source: base64(png(width, height)),
});

/** A use of bash by the assistant, and its result. */
export const used = fromModel([{ type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} }]);
export const result = (id: string, more: object = {}): object => ({
  type: 'tool_result',
  tool_use_id: id,
  ...more,
});
export const answered = (...blocks: unknown[]): object => messages(used, { role: 'user', content: blocks });
