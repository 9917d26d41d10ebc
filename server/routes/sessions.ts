import { Readable } from 'node:stream';
import { z } from 'zod';
import {
  actionPolicy,
  grantInput,
  type HeldGrant,
  type Limits,
  type Session,
  sessionCreate,
  type Sessions,
  sessionsQuery,
  sessionUpdate,
  valueJson,
} from '@steadyhand/sessions';
import type { Verification } from '@steadyhand/store';
import { sendBytes, sendJsonText } from '../http/send.ts';
import { zip } from '../http/zip.ts';
import { named } from '../routing/components.ts';
import { json, jsonPieces } from '../routing/shapes.ts';
import { routesOf } from '../routing/route.ts';
import * as shape from '../routing/shapes.ts';
import { agentConfig, nothing } from './agents.ts';
import { message } from './message-shapes.ts';
import { fileResource } from './resources.ts';
import type { SessionRuntime } from './services.ts';

export const stopReason = z.union([
  z.object({ type: z.literal('requires_action'), event_ids: z.array(z.string()) }),
  z.object({ type: z.enum(['end_turn', 'retries_exhausted', 'budget_reached', 'refusal']) }),
]);

const STATUSES = ['rescheduling', 'running', 'idle', 'terminated'] as const;
const status = z.enum(STATUSES);
const tokens = shape.count;

const limits = z.object({
  max_turns: z.int().min(1).nullable().describe('Model replies that answer one user message'),
  max_tokens: z.int().min(1).nullable().describe('Tokens read and written over the session’s life'),
}) satisfies z.ZodType<Limits>;

const heldGrant = z.object({
  id: z.string().describe('The id of the `user.tool_confirmation` that gave it'),
  tool_use_id: z.string(),
  granted_at: shape.time,
  grant: grantInput,
}) satisfies z.ZodType<HeldGrant>;

const session: z.ZodType<Session> = z.object({
  id: z.string(),
  type: z.literal('session'),
  status,
  stop_reason: stopReason.nullable().describe('Why it is idle; null when it is not or has never run'),
  title: z.string().nullable(),
  metadata: shape.pairs,
  agent: z.object(agentConfig).describe('The session’s own copy of its agent'),
  environment_id: z.string(),
  sandbox_id: z.string().nullable().describe('Null until the first tool use'),
  limits,
  policy: z.exactOptional(actionPolicy),
  secrets: z
    .exactOptional(
      z.array(
        z.object({
          name: z.string(),
          allowed_tools: z.array(z.enum(['computer', 'editor', 'bash'])),
          window_title: z.exactOptional(z.array(z.string())),
        }),
      ),
    )
    .describe('Without their values'),
  grants: z
    .exactOptional(z.array(heldGrant))
    .describe('What a person has allowed for the rest of the session'),
  budget: z.null(),
  usage: z.object({
    input_tokens: tokens,
    output_tokens: tokens,
    cache_read_input_tokens: tokens,
    cache_creation: z.object({ ephemeral_5m_input_tokens: tokens, ephemeral_1h_input_tokens: tokens }),
    active_seconds: z.number().min(0),
  }),
  stats: z.object({ active_seconds: z.number().min(0), duration_seconds: z.number().min(0) }),
  resources: z.array(fileResource),
  vault_ids: nothing,
  outcome_evaluations: nothing,
  deployment_id: z.null(),
  created_at: shape.time,
  updated_at: shape.time,
  archived_at: shape.maybeTime,
});

const sessionVerification = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), length: z.int(), head: z.string().describe('The last hash') }),
  z.object({
    ok: z.literal(false),
    broken_at: z.int().describe('The first event that does not check; 0 for the record itself'),
    reason: z.string(),
  }),
]) satisfies z.ZodType<Verification>;

const sessionState = z.object({
  type: z.literal('session_state'),
  session_id: z.string(),
  status,
  state: z
    .string()
    .nullable()
    .describe('The machine’s own state, e.g. `tool_use.running`; null before it ran'),
});

const turn = z.object({
  id: z.string().describe('A hash of the whole request'),
  after: z.exactOptional(z.string()).describe('The turn whose messages and reply come before `messages`'),
  request: z
    .exactOptional(shape.anyObject)
    .describe('What stands beside the messages; left out where it is as in the turn before'),
  messages: z
    .array(z.object({ role: z.enum(['user', 'assistant', 'system']), content: z.array(shape.anyObject) }))
    .describe('All, or those that are new since the turn before'),
  reply: message,
});

const recording = z.object({
  type: z.literal('recording'),
  version: z.literal(1),
  source: shape.anyObject,
  turns: z.array(turn),
});

named({ stopReason, session, sessionVerification, sessionState, sessionCreate, sessionUpdate });

export interface SessionRouteDeps {
  readonly sessions: Omit<Sessions, 'agents' | 'environments' | 'events' | 'resources'>;
  readonly runtime: Pick<SessionRuntime, 'deliver' | 'end' | 'state'>;
}

const route = routesOf<SessionRouteDeps>()('Sessions', { id: 'A session’s id, `sesn_…`' });

/** The routes of `/v1/sessions`, as in the Managed Agents API, without the events. */
export const sessionRoutes = [
  route('GET /v1/sessions', 'listSessions', 'List sessions', {
    query: sessionsQuery,
    answer: shape.twoWayPageOf(session),
    handle: ({ sessions }, { search }) => sessions.list(search),
  }),
  route('POST /v1/sessions', 'createSession', 'Create a session', {
    description: '`initial_events` start it; without any it starts with its first message.',
    body: json(sessionCreate, { agent: 'agent_…', title: 'A shopping list' }),
    answer: session,
    errors: [404, 409],
    handle: async ({ sessions, runtime }, { unchecked }) => {
      const made = await sessions.create(unchecked);
      // The delivery is for `initial_events`; a session without any starts running with its first message.
      await runtime.deliver(made.id);
      return made;
    },
  }),
  route('GET /v1/sessions/{id}', 'retrieveSession', 'Retrieve a session', {
    answer: session,
    handle: ({ sessions }, { params }) => sessions.retrieve(params.id),
  }),
  route('POST /v1/sessions/{id}', 'updateSession', 'Update a session', {
    body: json(sessionUpdate, { title: 'Another title', limits: { max_turns: 20 } }),
    answer: session,
    errors: [409],
    handle: ({ sessions }, { params, unchecked }) => sessions.update(params.id, unchecked),
  }),
  route('DELETE /v1/sessions/{id}', 'deleteSession', 'Delete a session', {
    description: 'Ends its workflow and deletes its sandbox, its log and its files.',
    answer: shape.deleted('session_deleted'),
    errors: [409],
    handle: async ({ sessions, runtime }, { params }) => {
      const gone = await sessions.delete(params.id);
      await runtime.end(gone.id);
      return gone;
    },
  }),
  route('POST /v1/sessions/{id}/archive', 'archiveSession', 'Archive a session', {
    answer: session,
    errors: [409],
    handle: ({ sessions }, { params }) => sessions.archive(params.id),
  }),
  route('GET /v1/sessions/{id}/recording', 'retrieveSessionRecording', 'Retrieve a session as a recording', {
    description: 'The model’s requests and replies, for the `replay` provider; pictures as hashes.',
    answer: jsonPieces(recording),
    handle: async ({ sessions }, { params, res }) =>
      sendJsonText(res, valueJson(await sessions.recording(params.id))),
  }),
  route('GET /v1/sessions/{id}/replay_test', 'downloadSessionReplayTest', 'Download a session as a test', {
    description:
      'A zip with the recording and a test that runs the session again, without a model. Refused for a session that nobody can repeat, such as one that was interrupted.',
    answer: shape.bytesOf('application/zip'),
    errors: [409],
    handle: async ({ sessions }, { params, req, res }) => {
      const files = await sessions.replayTest(params.id);
      const bytes = await zip(
        files.map(({ name, text }) => ({ name: `${params.id}/${name}`, bytes: Buffer.from(text) })),
      );
      res.set({
        'content-type': 'application/zip',
        'content-length': String(bytes.length),
        'content-disposition': `attachment; filename="${params.id}.replay-test.zip"`,
        'cache-control': 'private, no-cache',
      });
      await sendBytes(req, res, Readable.from([bytes]));
    },
  }),
  route('GET /v1/sessions/{id}/verify', 'verifySession', 'Check a session’s log', {
    description: 'Walks the chain of hashes from the first event to the last.',
    answer: sessionVerification,
    handle: ({ sessions }, { params }) => sessions.verify(params.id),
  }),
  route('GET /v1/sessions/{id}/state', 'retrieveSessionState', 'Retrieve the machine’s state', {
    answer: sessionState,
    handle: async ({ sessions, runtime }, { params }) => {
      const { id, status: now } = await sessions.retrieve(params.id);
      return { type: 'session_state' as const, session_id: id, status: now, state: await runtime.state(id) };
    },
  }),
];
