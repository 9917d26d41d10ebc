import { InvalidRequestError } from '@steadyhand/contracts';
import type { ThreadUnsupportedRequestErrorDetails, ToolChoice, ToolParam } from './api/api-types.ts';
import { isRecord } from './api/is-record.ts';
import type { MessageRequest, ModelRequest } from './api/request.ts';
import { isNamed } from './tools/tool-names.ts';
import { toInvalidRequest } from './schema/fields/issues.ts';
import {
  type CountBody,
  countRequestSchema,
  requestSchema,
  type ToolChoiceInput,
} from './schema/request-schema.ts';
import { checkCacheBreakpoints } from './schema/rules/cache-rules.ts';
import { checkImages } from './schema/rules/image-rules.ts';
import { checkMessages } from './schema/rules/message-rules.ts';
import { checkSampling, checkTools } from './schema/rules/field-rules.ts';

interface RequestHeaders {
  /** The values of `anthropic-beta`, split at commas. */
  readonly betas: readonly string[];
}

const EMPTY_BODY =
  'The request body is not valid JSON: Input is a zero-length, empty document: line 1 column 1 (char 0)';

/** The form of a beta's name. Names are not checked against a list, since newer clients know newer betas. */
const BETA = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,127}$/;

/** Collects the betas of header and body. The schema refuses a malformed list in the body. */
function betasOf(body: unknown, headers: RequestHeaders): string[] {
  const listed: unknown = isRecord(body) ? body['betas'] : undefined;
  const inBody = Array.isArray(listed) ? listed.filter((beta) => typeof beta === 'string') : [];
  const all = [...headers.betas, ...inBody].map((beta) => beta.trim()).filter((beta) => beta !== '');
  const odd = all.filter((beta) => !BETA.test(beta)).map((beta) => `\`${beta.slice(0, 128)}\``);
  if (odd.length > 0) {
    throw new InvalidRequestError(
      `Unexpected value(s) ${odd.join(', ')} for the \`anthropic-beta\` header. Please consult our documentation at ` +
        'docs.anthropic.com or try again without the header.',
    );
  }
  return [...new Set(all)];
}

/**
 * Translates the string modes of `tool_choice`. The mode `tool` names no tool: it means the only tool of the request,
 * or any of several.
 */
function toolChoiceOf(choice: ToolChoiceInput, tools: readonly ToolParam[]): ToolChoice {
  if (typeof choice !== 'string') return choice;
  if (choice !== 'tool') return { type: choice };
  const [only, ...others] = tools;
  return only !== undefined && isNamed(only) && others.length === 0
    ? { type: 'tool', name: only.name }
    : { type: 'any' };
}

/** The official SDK knows this code: its tool runner then sends the whole conversation every turn. */
function threadUnsupported(): InvalidRequestError {
  const details: ThreadUnsupportedRequestErrorDetails = { error_code: 'thread_unsupported_request' };
  return new InvalidRequestError(
    'thread: this server holds no message threads; send the full conversation without `thread`',
    details,
  );
}

/**
 * Checks a body of `POST /v1/messages` against the rules of the API.
 *
 * @example const request = parseMessageRequest(JSON.parse(body), { betas: ['computer-use-2025-11-24'] });
 * @throws {InvalidRequestError} for the first broken rule, in the API's own words. Fields come first, in the order of
 * the schema, then the rules for tools, messages, pictures and cache breakpoints
 */
export function parseMessageRequest(body: unknown, headers: RequestHeaders): MessageRequest {
  if (body === undefined) throw new InvalidRequestError(EMPTY_BODY);
  const betas = betasOf(body, headers);
  const parsed = requestSchema(betas).safeParse(body, { reportInput: true });
  if (!parsed.success) throw toInvalidRequest(parsed.error.issues);

  const { tools = [], tool_choice: choice, stream = false, thread, ...rest } = parsed.data;
  if (thread != null) throw threadUnsupported();
  checkBetweenFields(parsed.data);
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

/**
 * Checks a body of `POST /v1/messages/count_tokens`, which has fewer fields. The result is a request for a message of
 * one token.
 *
 * @throws {InvalidRequestError}
 */
export function parseCountRequest(body: unknown, headers: RequestHeaders): ModelRequest {
  if (body === undefined) throw new InvalidRequestError(EMPTY_BODY);
  const betas = betasOf(body, headers);
  const parsed = countRequestSchema(betas).safeParse(body, { reportInput: true });
  if (!parsed.success) throw toInvalidRequest(parsed.error.issues);

  const { tools = [], tool_choice: choice, ...rest } = parsed.data;
  checkBetweenFields(parsed.data);
  const request: ModelRequest = {
    ...rest,
    max_tokens: 1,
    tools,
    ...(choice === undefined ? {} : { tool_choice: toolChoiceOf(choice, tools) }),
    betas,
  };
  // A count has no `max_tokens` that a budget for thinking could exceed.
  checkSampling({ ...request, max_tokens: Number.MAX_SAFE_INTEGER });
  return request;
}

function checkBetweenFields(body: CountBody): void {
  checkTools(body.tools ?? [], body.tool_choice);
  checkMessages(body.messages, body.system);
  checkImages(body.messages, body.model);
  checkCacheBreakpoints(body);
}
