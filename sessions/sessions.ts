import type { BetaManagedAgentsDeletedSession } from '@anthropic-ai/sdk/resources/beta/sessions/sessions.js';
import type { ContextCare, Recording } from '@steadyhand/messages';
import { createIds, type NewId, type SessionRecord, type Store, type Verification } from '@steadyhand/store';
import type { ResolvedAgent } from './agents/agent.ts';
import { type Agents, createAgents, policyOf, requireServed, type ServedModels } from './agents/agents.ts';
import { createEnvironments, type Environments } from './environments/environments.ts';
import { statusTerminated } from './events/builders.ts';
import { withFileBytes } from './user-events/file-sources.ts';
import { createFiles } from './files/files.ts';
import { createSessionEvents, type SessionEvents } from './session-events.ts';
import { statusOnAccept } from './user-events/status-on-accept.ts';
import type { EventBodies, NewEvent } from './events/types.ts';
import { type Limits, NO_LIMITS, NO_USAGE } from './record/usage.ts';
import type { LiveReplies } from './replies/live-replies.ts';
import { putAndName, storeBytes } from './log/blob-sources.ts';
import { changeOf } from './log/append.ts';
import { storedForDelivery, toStored } from './events/log-event.ts';
import { EMPTY_LOG } from './record/log-summary.ts';
import { verifySession } from './log/verified.ts';
import type { TwoWayPage } from './api/query.ts';
import { createResources, mountFiles, type Resources } from './resources.ts';
import type { GivenSecret } from './secrets/session-secrets.ts';
import type { Vault } from './secrets/vault.ts';
import { patchedMetadata } from './api/schema.ts';
import { dataOf, requireSession, type SessionData, toJson } from './record/session-data.ts';
import { type ExportedFile, replayTest } from './replay-test/replay-test.ts';
import { type LoggedScreenshot, screenshotsOf } from './screenshots.ts';
import { sessionRecording } from './session-recording.ts';
import { listSessions } from './session-list.ts';
import { sessionCreate, sessionUpdate } from './session-schema.ts';
import { type Session, viewSession } from './session-view.ts';
import { changed, ConflictError, InvalidRequestError, NotFoundError, parse } from './api/validate.ts';

/** The sessions API without HTTP. The methods validate bodies and queries, and answer what clients get. */
export interface Sessions {
  readonly agents: Agents;
  readonly environments: Environments;
  readonly events: SessionEvents;
  readonly resources: Resources;
  create(body: unknown): Promise<Session>;
  retrieve(id: string): Promise<Session>;
  /** Changes title, metadata and limits. */
  update(id: string, body: unknown): Promise<Session>;
  list(query?: URLSearchParams): Promise<TwoWayPage<Session>>;
  /** The model's requests and replies, for the `replay` provider. */
  recording(id: string): Promise<Recording>;
  /** The pictures of its screen in its log, oldest first. */
  screenshots(id: string): Promise<readonly LoggedScreenshot[]>;
  /** The session as a test that runs it again; throws ConflictError where that cannot be. */
  replayTest(id: string): Promise<readonly ExportedFile[]>;
  archive(id: string): Promise<Session>;
  /** Verifies that the session's event log is what was written, by its hash chain. */
  verify(id: string): Promise<Verification>;
  /**
   * Makes the session invisible. Its workflow, sandbox, event log and files are removed by the code that goes through
   * the store's `deleting` sessions; see `removeSession`.
   */
  delete(id: string): Promise<BetaManagedAgentsDeletedSession>;
}

interface SessionsOptions {
  readonly store: Store;
  /** Milliseconds since 1970; default Date.now. */
  readonly now?: () => number;
  readonly newId?: NewId;
  /** Encrypts secrets; without it, sessions with secrets are refused. */
  readonly vault?: Vault | undefined;
  /** Refuses agents whose model no provider serves; without it, any name is accepted. */
  readonly models?: ServedModels | undefined;
  /** The replies that this process is receiving from models, for streams that ask for `event_deltas`. */
  readonly live?: LiveReplies | undefined;
}

export function createSessions({
  store,
  now = Date.now,
  newId = createIds(now),
  vault,
  models,
  live,
}: SessionsOptions): Sessions {
  const agents = createAgents(store, newId, models);
  const environments = createEnvironments(store, newId);
  const files = createFiles({ store, newId });
  const view = (record: SessionRecord): Session => viewSession(record, now());

  return {
    agents,
    environments,
    events: createSessionEvents(store, files, now, live),
    resources: createResources(store, now, newId),
    async create(body) {
      const given = parse(sessionCreate, body);
      if (given.agent.type !== 'agent' && given.agent.model !== undefined)
        requireServed(models, given.agent.model.id, 'agent.');
      const base = await agents.resolve(given.agent.id, given.agent.version);
      const agent = given.agent.type === 'agent' ? base : overridden(base, given.agent);
      const environment =
        given.environment_id == null
          ? await environments.fallback()
          : await environments.usable(given.environment_id);
      const id = newId('sesn');
      const resources = await mountFiles(store, id, given.resources ?? [], {
        now,
        newId,
        field: (index) => `resources.${index}.mount_path`,
      });
      const secrets = sealedSecrets(vault, id, given.secrets ?? []);
      const data: SessionData = {
        agent,
        environment_id: environment.id,
        title: given.title ?? null,
        metadata: given.metadata ?? {},
        limits: changedLimits(NO_LIMITS, given.limits),
        ...policyOf(given.policy),
        ...secrets.fields,
        sandbox_id: null,
        ...(resources.length === 0 ? {} : { resources, resources_version: 1 }),
        log: EMPTY_LOG,
        stop_reason: null,
        usage: NO_USAGE,
        turns: 0,
        active_ms: 0,
        running_since: null,
      };
      const initial = await withFileBytes(given.initial_events ?? [], files, 'initial_events');
      const status = statusOnAccept({ status: 'idle', data: toJson(data) }, initial);
      const entered = status === undefined ? [] : [status];
      const record = { id, agent_id: agent.id, agent_version: agent.version, status: 'idle' };
      const inserted = await putAndName(
        () => Promise.all(initial.map((event) => storeBytes(store.blobs, event))),
        (first) =>
          store.sessions.insert(
            { ...record, data: toJson(data) },
            {
              key: 'create',
              events: [...first.map(storedForDelivery), ...entered.map(toStored)],
              update: (current, added) => changeOf(current, { events: entered }, added),
            },
            secrets.sealed,
          ),
      );
      return view(inserted.record);
    },
    async retrieve(id) {
      return view(await requireSession(store, id));
    },
    async update(id, body) {
      const change = parse(sessionUpdate, body);
      const next = (before: SessionData): SessionData => ({
        ...before,
        title: change.title === undefined ? before.title : change.title,
        metadata: patchedMetadata(before.metadata, change.metadata),
        limits: changedLimits(before.limits, change.limits),
      });
      const record = await requireSession(store, id);
      if (record.archived_at !== null) throw new ConflictError(`Session ${id} is archived`);
      const before = dataOf(record);
      const fields = changedFields(before, next(before));
      const appended = await store.events.append({
        session: id,
        key: newId('update'),
        events: Object.keys(fields).length === 0 ? [] : [toStored(updated(fields))],
        update: (current) => ({ data: toJson(next(dataOf(current))) }),
      });
      return view(appended.record);
    },
    async list(query = new URLSearchParams()) {
      return listSessions(store, query, now());
    },
    recording: (id) => sessionRecording(store, id),
    async screenshots(id) {
      await requireSession(store, id);
      return await screenshotsOf(store, id);
    },
    async replayTest(id) {
      const data = dataOf(await requireSession(store, id));
      const made = await store.environments.get(data.environment_id);
      const config = made === undefined ? null : (await environments.retrieve(data.environment_id)).config;
      return await replayTest(store, id, data, { config }, await sessionRecording(store, id));
    },
    verify: (id) => verifySession(store, id),
    async archive(id) {
      const at = new Date(now()).toISOString();
      const archived = store.sessions.update(id, ({ archived_at }) => ({ archived_at: archived_at ?? at }));
      return view(await changed(archived, 'Session', id));
    },
    async delete(id) {
      const last = { key: 'end', events: [toStored(statusTerminated())] };
      if (!(await store.sessions.beginDeletion(id, last))) throw new NotFoundError('Session', id);
      return { id, type: 'session_deleted' };
    },
  };
}

/** Removes a deleted session's files, and then its event log and record. It can be called again after a crash. */
export async function removeSession(store: Store, id: string): Promise<void> {
  await store.files.deleteScope(id);
  await store.sessions.delete(id);
}

/** A session's secrets without their values, and their values sealed by the vault. */
function sealedSecrets(
  vault: Vault | undefined,
  session: string,
  secrets: readonly GivenSecret[],
): { readonly fields?: Pick<SessionData, 'secrets'>; readonly sealed?: Uint8Array } {
  if (secrets.length === 0) return {};
  if (vault === undefined) throw new InvalidRequestError('secrets: this server keeps none');
  const infos = secrets.map(({ name, allowed_tools, window_title }) => ({
    name,
    allowed_tools,
    ...(window_title === undefined ? {} : { window_title }),
  }));
  return { fields: { secrets: infos }, sealed: vault.seal(session, vault.valuesOf(secrets)) };
}

interface Overrides {
  readonly model?: ResolvedAgent['model'] | undefined;
  readonly system?: string | null | undefined;
  readonly tools?: ResolvedAgent['tools'] | undefined;
  readonly context_care?: ContextCare | null | undefined;
}

/** A given field replaces the agent's whole value; null clears `system` and `context_care`. */
function overridden(agent: ResolvedAgent, given: Overrides): ResolvedAgent {
  const { context_care: base, ...rest } = agent;
  const care = given.context_care === undefined ? base : given.context_care;
  return {
    ...rest,
    ...(care == null ? {} : { context_care: care }),
    model: given.model ?? agent.model,
    tools: given.tools ?? agent.tools,
    system: given.system === undefined ? agent.system : given.system,
  };
}

/** A field of null removes its limit, and an absent one keeps it; null for `limits` removes both. */
function changedLimits(
  before: Limits,
  change: { [K in keyof Limits]?: number | null | undefined } | null | undefined,
): Limits {
  if (change === undefined) return before;
  if (change === null) return NO_LIMITS;
  return {
    max_turns: change.max_turns === undefined ? before.max_turns : change.max_turns,
    max_tokens: change.max_tokens === undefined ? before.max_tokens : change.max_tokens,
  };
}

/** The body of a `session.updated` event, with the changed fields only. */
function changedFields(before: SessionData, after: SessionData): EventBodies<never>['session.updated'] {
  return {
    ...(before.title === after.title ? {} : { title: after.title }),
    ...(JSON.stringify(before.metadata) === JSON.stringify(after.metadata)
      ? {}
      : { metadata: { ...after.metadata } }),
  };
}

const updated = (body: EventBodies<never>['session.updated']): NewEvent<'session.updated'> => ({
  type: 'session.updated',
  body,
});
