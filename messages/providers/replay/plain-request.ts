import { createHash } from 'node:crypto';
import type { ContentBlockParam, Message, MessageParam, ToolParam } from '../../api/api-types.ts';
import { isRecord } from '../../api/is-record.ts';
import type { ModelRequest } from '../../api/request.ts';
import { clientSystem } from '../../tools/system-prompt.ts';

/** A block with hashes in place of bytes, and without the fields for caching. */
export type PlainBlock = Readonly<Record<string, unknown>> & { readonly type: string };

export interface PlainMessage {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: readonly PlainBlock[];
}

/** The fields of a request, apart from its messages, that may change a reply. */
export interface RequestFields {
  readonly system?: string;
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly tool_choice?: unknown;
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly stop_sequences?: readonly string[];
  readonly thinking?: unknown;
  readonly output_config?: unknown;
}

export interface PlainRequest extends RequestFields {
  readonly messages: readonly PlainMessage[];
}

/** Replaces bytes in base64 by their hash. Sources of other kinds stay. */
function plainSource(source: unknown): unknown {
  if (!isRecord(source)) return source;
  if (source['type'] !== 'base64' || typeof source['data'] !== 'string') {
    return Array.isArray(source['content'])
      ? { ...source, content: source['content'].map(plainBlock) }
      : source;
  }
  const sha256 = createHash('sha256').update(Buffer.from(source['data'], 'base64')).digest('hex');
  return { type: 'sha256', media_type: source['media_type'], sha256 };
}

function resultContent(content: unknown): PlainBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.map(plainBlock) : [];
}

function plainBlock(block: unknown): PlainBlock {
  const { cache_control: _breakpoint, citations: _citations, ...rest } = block as Record<string, unknown>;
  const type = String(rest['type']);
  if (type === 'tool_result') {
    const { is_error: isError, content, ...others } = rest;
    return {
      ...others,
      type,
      ...(isError === true ? { is_error: true } : {}),
      content: resultContent(content),
    };
  }
  const told = Object.fromEntries(Object.entries(rest).filter(([, value]) => value != null));
  return { ...told, type, ...('source' in rest ? { source: plainSource(rest['source']) } : {}) };
}

export function plainMessage({ role, content = [] }: MessageParam): PlainMessage {
  if (typeof content !== 'string') return { role, content: content.map(plainBlock) };
  return { role, content: content === '' ? [] : [{ type: 'text', text: content }] };
}

/** The reply in the form in which the next request holds it. */
export function replyMessage({ content }: Pick<Message, 'content'>): PlainMessage {
  return plainMessage({ role: 'assistant', content: content as ContentBlockParam[] });
}

/** Joins neighbouring messages of one role, as the API does. */
export function joinTurns(messages: readonly PlainMessage[]): PlainMessage[] {
  const turns: PlainMessage[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (last?.role === message.role && message.role !== 'system') {
      turns[turns.length - 1] = { ...last, content: [...last.content, ...message.content] };
    } else if (message.content.length > 0) turns.push(message);
  }
  return turns;
}

function plainMessages(messages: readonly MessageParam[]): PlainMessage[] {
  return joinTurns(messages.map(plainMessage));
}

function plainTool(tool: ToolParam): Record<string, unknown> {
  const { cache_control: _breakpoint, ...rest } = tool as ToolParam & { cache_control?: unknown };
  return rest;
}

export function requestFields(
  request: Pick<ModelRequest, 'tools'> & Partial<Omit<ModelRequest, 'messages'>>,
): RequestFields {
  const client = clientSystem(request);
  const system = typeof client === 'string' ? client : client?.map(({ text }) => text).join('\n\n');
  const { tools, tool_choice, max_tokens, temperature, top_p, top_k, stop_sequences, thinking } = request;
  const fields = {
    system,
    tools: tools.map(plainTool),
    tool_choice,
    max_tokens,
    temperature,
    top_p,
    top_k,
    stop_sequences,
    thinking,
    output_config: request.output_config,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The form of a request in recordings. */
export function plainRequest(request: ModelRequest): PlainRequest {
  return { ...requestFields(request), messages: plainMessages(request.messages) };
}

/** Serializes a value with sorted keys, so that equal values have the same text. */
export function stableText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
}

export function hashOf(value: unknown): string {
  return hashOfText(stableText(value));
}

export function hashOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
