import { z } from 'zod';
import {
  type Base64Source,
  type EventBodies,
  type EventType,
  grantInput,
  type PreviewDelta,
  type PreviewStart,
  type SessionError,
  type SessionEvent,
  type UrlSource,
} from '@steadyhand/sessions';
import { named } from '../routing/components.ts';
import { anyObject, count, loosely, pairs, time } from '../routing/shapes.ts';
import { networkRequest } from './sandbox-shapes.ts';
import { stopReason } from './sessions.ts';

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
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
});

const evaluation = loosely<NonNullable<EventBodies<never>['agent.tool_use']['evaluation']>>(
  z.union([
    z.object({ type: z.enum(['always_allow', 'always_ask']) }),
    z.object({ type: z.literal('auto'), evaluated_permission: z.looseObject({ type: z.string() }) }),
  ]),
);

const policyDecision = z
  .object({
    decision: z.enum(['allow', 'ask', 'deny']),
    source: z.enum(['server', 'agent', 'session', 'sandbox', 'person']),
    rule: z.string().describe('The rule’s name, or its place from 1; of a person, the id of the grant'),
    message: z.exactOptional(z.string()),
  })
  .describe('The rule that decided on the action');

/** How pictures and documents stand in events. */
type Shown = Base64Source | UrlSource;
type StopDetails = EventBodies<never>['session.status_idle']['stop_details'];

const BODIES = {
  'user.message': { content: z.array(resultBlock) },
  'user.interrupt': {},
  'user.tool_confirmation': {
    tool_use_id: z.string(),
    result: z.enum(['allow', 'deny']),
    deny_message: z.exactOptional(z.string().nullable()),
    grant: z.exactOptional(grantInput),
  },
  'user.grant_withdrawn': { grant_id: z.string() },
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
  'session.status_idle': {
    stop_reason: stopReason,
    stop_details: loosely<StopDetails>(anyObject.nullable()),
  },
  'session.status_rescheduled': {},
  'session.status_terminated': {},
  'session.error': {
    error: loosely<SessionError>(
      z.object({
        type: z.string(),
        message: z.string(),
        retry_status: z.object({ type: z.enum(['retrying', 'exhausted', 'terminal']) }),
      }),
    ),
  },
  'session.updated': { title: z.exactOptional(z.string().nullable()), metadata: z.exactOptional(pairs) },
  'session.deleted': {},
  'span.model_request_start': {},
  'span.model_request_end': { model_request_start_id: z.string(), is_error: z.boolean(), model_usage: usage },
  'sandbox.network_request': networkRequest,
  'sandbox.waiting': { sandbox_id: z.string(), message: z.string() },
  'sandbox.replaced': { sandbox_id: z.string(), message: z.string() },
  'sandbox.takeover_started': { takeover_id: z.string() },
  'sandbox.takeover_input': { takeover_id: z.string(), inputs: z.array(personInput) },
  'sandbox.takeover_ended': {
    takeover_id: z.string(),
    reason: z.enum(['handed_back', 'disconnected', 'expired']),
    duration_ms: z.number(),
    content: z.array(z.union([textBlock, imageBlock])),
  },
} satisfies {
  readonly [T in EventType]: {
    readonly [F in keyof EventBodies<Shown>[T]]-?: z.ZodType<EventBodies<Shown>[T][F]>;
  };
};

/** One schema for each event type; each is a component of its own, such as `AgentToolUseEvent`. */
const members = Object.entries(BODIES).map(([type, body]) => {
  const schema = z.object({ id: z.string(), type: z.literal(type), processed_at: time, ...body });
  const words = type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
  named({ [`${words}Event`]: schema });
  return schema;
});

/** An event as clients read it. */
export const event = z.union(members) as z.ZodType as z.ZodType<SessionEvent>;

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
    z.object({ type: z.literal('content_delta'), index: count, content: textBlock }),
    z.object({ type: z.literal('thinking_delta'), thinking: z.string() }),
    z.object({ type: z.literal('input_json_delta'), partial_json: z.string() }),
  ]),
});

/** What a stream gives: the events, and previews of them where it was asked for those. */
export const streamedEvent = z.union([...members, eventStart, eventDelta]) as z.ZodType as z.ZodType<
  SessionEvent | PreviewStart | PreviewDelta
>;

named({ sessionEvent: event });
