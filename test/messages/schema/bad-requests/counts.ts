import { bad, type BadRequest, bash, used, messages } from './bad-request.ts';

const at = { path: '/v1/messages/count_tokens' };
/** The request without what a count has not. */
const count = (change: object): object => ({ max_tokens: undefined, ...change });

/** Requests for a count: fields that say how to reply are not among theirs, and the rules between messages hold. */
export const COUNTS: readonly BadRequest[] = [
  bad('max_tokens', {}, 'max_tokens: Extra inputs are not permitted', {
    ...at,
    seen: 'anthropics/claude-code#11017',
  }),
  bad('stream', count({ stream: true }), 'stream: Extra inputs are not permitted', at),
  bad('a temperature', count({ temperature: 1 }), 'temperature: Extra inputs are not permitted', at),
  bad('stop sequences', count({ stop_sequences: [] }), 'stop_sequences: Extra inputs are not permitted', at),
  bad('metadata', count({ metadata: {} }), 'metadata: Extra inputs are not permitted', at),
  bad('no messages', count({ messages: undefined }), 'messages: Field required', at),
  bad('empty messages', count({ messages: [] }), 'messages: at least one message is required', at),
  bad('two tools of one name', count({ tools: [bash, bash] }), 'tools: Tool names must be unique.', at),
  bad(
    'a tool use at the end',
    count(messages(used)),
    'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    at,
  ),
];
