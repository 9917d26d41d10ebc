import type { ThreadUnsupportedRequestErrorDetails, ToolChoice, ToolParam } from '../api-types.ts';
import { InvalidRequest } from '../errors.ts';
import { isRecord } from '../is-record.ts';
import type { MessageRequest } from '../request.ts';
import { toInvalidRequest } from './issues.ts';
import { requestSchema, type ToolChoiceInput } from './request-schema.ts';
import { checkCacheBreakpoints } from './rules/cache-rules.ts';
import { checkImages } from './rules/image-rules.ts';
import { checkMessages } from './rules/message-rules.ts';
import { checkSampling } from './rules/sampling-rules.ts';
import { checkTools } from './rules/tool-rules.ts';

export interface RequestHeaders {
  /** The values of `anthropic-beta`, split at commas. */
  readonly betas: readonly string[];
}

/** The betas of header and body; a body that is malformed there is left to the schema to refuse. */
function betasOf(body: unknown, headers: RequestHeaders): string[] {
  const listed: unknown = isRecord(body) ? body['betas'] : undefined;
  const inBody = Array.isArray(listed) ? listed.filter((beta) => typeof beta === 'string') : [];
  return [...new Set([...headers.betas, ...inBody].map((beta) => beta.trim()).filter((beta) => beta !== ''))];
}

/**
 * The string mode `tool` names no tool: with one tool offered that one is meant, with several any of them, which is what
 * the mode costs and forces.
 */
function toolChoiceOf(choice: ToolChoiceInput, tools: readonly ToolParam[]): ToolChoice {
  if (typeof choice !== 'string') return choice;
  if (choice !== 'tool') return { type: choice };
  const [only, ...others] = tools;
  return only !== undefined && others.length === 0 ? { type: 'tool', name: only.name } : { type: 'any' };
}

/** The official SDK knows this code: its tool runner then sends the whole conversation every turn. */
function threadUnsupported(): InvalidRequest {
  const details: ThreadUnsupportedRequestErrorDetails = { error_code: 'thread_unsupported_request' };
  return new InvalidRequest(
    'thread: this server holds no message threads; send the full conversation without `thread`',
    details,
  );
}

/**
 * A body of `POST /v1/messages` as a request that follows every rule of the API.
 *
 * @throws {InvalidRequest} for the first rule that it breaks, in the API's own words: fields first, in the order of the
 * schema, then the rules between tools, between messages, for pictures and for cache breakpoints.
 */
export function parseMessageRequest(body: unknown, headers: RequestHeaders): MessageRequest {
  const betas = betasOf(body, headers);
  const parsed = requestSchema(betas).safeParse(body, { reportInput: true });
  if (!parsed.success) throw toInvalidRequest(parsed.error.issues);

  const { tools = [], tool_choice: choice, stream = false, thread, ...rest } = parsed.data;
  if (thread != null) throw threadUnsupported();
  checkTools(tools, choice);
  checkMessages(rest.messages, rest.system);
  checkImages(rest.messages);
  checkCacheBreakpoints(parsed.data);
  const request: MessageRequest = {
    ...rest,
    tools,
    ...(choice === undefined ? {} : { tool_choice: toolChoiceOf(choice, tools) }),
    betas,
    stream,
  };
  checkSampling(request);
  return request;
}
