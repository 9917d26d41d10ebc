import { z } from 'zod';
import type { EventType } from '@steadyhand/sessions';
import { networkRequest, stopReason } from './answers.ts';
import { anyObject, time } from './shapes.ts';

/** A session's events as clients read them: a shape for each type that this server writes. */

const bytes = z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() });
const link = z.object({ type: z.literal('url'), url: z.string() });

const textBlock = z.object({ type: z.literal('text'), text: z.string() });
const imageBlock = z.object({ type: z.literal('image'), source: z.union([bytes, link]) });
const documentBlock = z.object({
  type: z.literal('document'),
  source: z.union([
    bytes,
    link,
    z.object({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string() }),
  ]),
  title: z.exactOptional(z.string().nullable()),
  context: z.exactOptional(z.string().nullable()),
});
const searchResultBlock = z.object({
  type: z.literal('search_result'),
  source: z.string(),
  title: z.string(),
  content: z.array(textBlock),
  citations: z.object({ enabled: z.boolean() }),
});
const at = { at_ms: z.number(), x: z.int(), y: z.int() };
export const personInput = z.union([
  z.object({ type: z.literal('button'), button: z.int(), down: z.boolean(), ...at }),
  z.object({ type: z.literal('move'), ...at }),
  z.object({ type: z.literal('key'), at_ms: z.number(), keysym: z.string(), down: z.boolean() }),
  z.object({ type: z.literal('clipboard'), at_ms: z.number(), characters: z.int() }),
]);
const resultBlock = z.union([textBlock, imageBlock, documentBlock, searchResultBlock]);

const usage = z.object({
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  cache_creation_input_tokens: z.int().min(0),
  cache_read_input_tokens: z.int().min(0),
});

const evaluation = z.union([
  z.object({ type: z.enum(['always_allow', 'always_ask']) }),
  z.object({ type: z.literal('auto'), evaluated_permission: z.looseObject({ type: z.string() }) }),
]);

const policyDecision = z
  .object({
    decision: z.enum(['allow', 'ask', 'deny']),
    source: z.enum(['server', 'agent', 'session', 'sandbox']),
    rule: z.string().describe('The rule’s name, or its place from 1'),
    message: z.exactOptional(z.string()),
  })
  .describe('The rule that decided on the action');

const BODIES: Readonly<Record<EventType, Readonly<Record<string, z.ZodType>>>> = {
  'user.message': { content: z.array(resultBlock) },
  'user.interrupt': {},
  'user.tool_confirmation': {
    tool_use_id: z.string(),
    result: z.enum(['allow', 'deny']),
    deny_message: z.exactOptional(z.string().nullable()),
  },
  'user.custom_tool_result': {
    custom_tool_use_id: z.string(),
    content: z.exactOptional(z.array(resultBlock)),
    is_error: z.exactOptional(z.boolean().nullable()),
  },
  'system.message': { content: z.array(textBlock) },
  'agent.message': { content: z.array(textBlock) },
  'agent.thinking': {},
  'agent.tool_use': {
    name: z.string(),
    toolset_name: z.exactOptional(z.string()),
    input: anyObject,
    evaluated_permission: z.enum(['allow', 'ask', 'deny']),
    evaluation: z.exactOptional(evaluation),
    policy_decision: z.exactOptional(policyDecision),
  },
  'agent.custom_tool_use': { name: z.string(), input: anyObject },
  'agent.tool_result': {
    tool_use_id: z.string(),
    content: z.array(resultBlock),
    is_error: z.boolean(),
    policy_decision: z.exactOptional(policyDecision),
  },
  'session.status_running': {},
  'session.status_idle': { stop_reason: stopReason, stop_details: anyObject.nullable() },
  'session.status_rescheduled': {},
  'session.status_terminated': {},
  'session.error': {
    error: z.object({
      type: z.string(),
      message: z.string(),
      retry_status: z.object({ type: z.enum(['retrying', 'exhausted', 'terminal']) }),
    }),
  },
  'session.updated': {
    title: z.exactOptional(z.string().nullable()),
    metadata: z.exactOptional(z.record(z.string(), z.string()).nullable()),
  },
  'session.deleted': {},
  'span.model_request_start': {},
  'span.model_request_end': {
    model_request_start_id: z.string(),
    is_error: z.boolean(),
    model_usage: usage,
  },
  'sandbox.network_request': networkRequest,
  'sandbox.takeover_started': { takeover_id: z.string() },
  'sandbox.takeover_input': { takeover_id: z.string(), inputs: z.array(personInput) },
  'sandbox.takeover_ended': {
    takeover_id: z.string(),
    reason: z.enum(['handed_back', 'disconnected', 'expired']),
    duration_ms: z.number(),
    content: z.array(z.union([textBlock, imageBlock])),
  },
};

const members = Object.entries(BODIES).map(([type, body]) =>
  z.object({ id: z.string(), type: z.literal(type), processed_at: time, ...body }),
);

/** One schema an event type, by the name of its component, e.g. `AgentToolUseEvent`. */
export const EVENT_SCHEMAS: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.keys(BODIES).map((type, index) => [componentName(type), members[index] ?? z.never()]),
);

export const event = z.union(members);

const eventStart = z.object({
  type: z.literal('event_start'),
  event: z.object({
    id: z.string().describe('The id that the event will have'),
    type: z.enum(['agent.message', 'agent.thinking', 'agent.tool_use', 'agent.custom_tool_use']),
    name: z.exactOptional(z.string()).describe('Of the tool, in previews of its use'),
  }),
});
const eventDelta = z.object({
  type: z.literal('event_delta'),
  event_id: z.string(),
  delta: z.union([
    z.object({ type: z.literal('content_delta'), index: z.int().min(0), content: textBlock }),
    z.object({ type: z.literal('thinking_delta'), thinking: z.string() }),
    z.object({ type: z.literal('input_json_delta'), partial_json: z.string() }),
  ]),
});

/** What a stream gives: the events, and previews of them where it was asked for those. */
export const streamedEvent = z.union([...members, eventStart, eventDelta]);

function componentName(type: string): string {
  return `${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;
}
