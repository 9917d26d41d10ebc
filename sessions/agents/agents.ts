import { isDeepStrictEqual } from 'node:util';
import type { ActionPolicy } from '../policy/action-policy.ts';
import {
  createdAt,
  creationPage,
  encodePage,
  includeArchived,
  limit,
  type Page,
  page,
  Query,
  search,
} from '../api/query.ts';
import { patchedMetadata } from '../api/schema.ts';
import { changed, ConflictError, NotFoundError, parse } from '../api/validate.ts';
import { z } from 'zod';
import { type ContextCare, ModelNotFoundError, type ProviderRegistry } from '@steadyhand/messages';
import {
  type AgentRecord,
  type NewId,
  recordData,
  type Store,
  VersionConflictError,
} from '@steadyhand/store';
import type { Agent, AgentConfig, ResolvedAgent } from './agent.ts';
import { agentCreate, agentUpdate } from './agent-schema.ts';
import { InvalidRequestError } from '@steadyhand/contracts';

export const agentsQuery = {
  limit: limit(20),
  page,
  include_archived: includeArchived,
  search,
  ...createdAt('gte', 'lte'),
};
export const agentQuery = { version: z.int().min(1).describe('Default: the newest').optional() };
export const agentVersionsQuery = { limit: limit(20), page };

/** Agents: named, versioned configurations that sessions are created from. Bodies and queries come unvalidated. */
export interface Agents {
  create(body: unknown): Promise<Agent>;
  /** `?version=` selects a version; by default it is the newest. */
  retrieve(id: string, query?: URLSearchParams): Promise<Agent>;
  /** Makes a new version unless nothing has changed. */
  update(id: string, body: unknown): Promise<Agent>;
  list(query?: URLSearchParams): Promise<Page<Agent>>;
  versions(id: string, query?: URLSearchParams): Promise<Page<Agent>>;
  archive(id: string): Promise<Agent>;
  /** The agent's configuration for a new session. Throws NotFoundError, and ConflictError for an archived agent. */
  resolve(id: string, version?: number): Promise<ResolvedAgent>;
}

interface StoredAgent extends AgentConfig {
  readonly metadata: Readonly<Record<string, string>>;
}

const { dataOf, toJson } = recordData<StoredAgent>();

export function createAgents(store: Store, newId: NewId, models?: ServedModels): Agents {
  const present = async (id: string, version?: number): Promise<AgentRecord> => {
    const record = await store.agents.get(id, version);
    if (record === undefined)
      throw new NotFoundError(version === undefined ? 'Agent' : `Agent version ${version}`, id);
    return record;
  };

  return {
    async create(body) {
      const {
        name,
        model,
        description,
        system,
        tools,
        metadata,
        context_care: care,
        policy,
      } = parse(agentCreate, body);
      requireServed(models, model.id);
      const data: StoredAgent = {
        name,
        model,
        description: description ?? null,
        system: orNull(system),
        tools: tools ?? [],
        ...careOf(care),
        ...policyOf(policy),
        metadata: metadata ?? {},
      };
      return view(await store.agents.put(newId('agent'), 1, toJson(data)));
    },
    async retrieve(id, params = new URLSearchParams()) {
      return view(await present(id, new Query(params, agentQuery).integer('version')));
    },
    async update(id, body) {
      const change = parse(agentUpdate, body);
      if (change.model !== undefined) requireServed(models, change.model.id);
      const record = await present(id);
      if (record.archived_at !== null) throw new ConflictError(`Agent ${id} is archived`);
      if (change.version !== undefined && change.version !== record.version) {
        throw new ConflictError(
          `version: Agent ${id} is at version ${record.version}, not ${change.version}`,
        );
      }
      const before = dataOf(record);
      const after: StoredAgent = {
        name: change.name ?? before.name,
        model: change.model ?? before.model,
        description: change.description === undefined ? before.description : change.description,
        system: change.system === undefined ? before.system : orNull(change.system),
        tools: change.tools === undefined ? before.tools : (change.tools ?? []),
        ...careOf(change.context_care === undefined ? before.context_care : change.context_care),
        ...policyOf(change.policy === undefined ? before.policy : change.policy),
        metadata: patchedMetadata(before.metadata, change.metadata),
      };
      if (isDeepStrictEqual(before, after)) return view(record);
      try {
        return view(await store.agents.put(id, record.version + 1, toJson(after)));
      } catch (error) {
        if (error instanceof VersionConflictError)
          throw new ConflictError(`Agent ${id} was changed at the same time`);
        throw error;
      }
    },
    async list(params = new URLSearchParams()) {
      const query = new Query(params, agentsQuery);
      const sought = query.text('search');
      const filter = {
        includeArchived: query.boolean('include_archived'),
        createdAt: query.createdAt(),
        ...(sought === undefined ? {} : { search: sought }),
      };
      return creationPage(query, (request) => store.agents.list({ ...request, ...filter }), view);
    },
    async versions(id, params = new URLSearchParams()) {
      const query = new Query(params, agentVersionsQuery);
      const most = query.integer('limit');
      await present(id);
      const found = await store.agents.versions(id, most + 1, query.page(z.int()));
      const shown = found.slice(0, most);
      return {
        data: shown.map(view),
        next_page: found.length > most ? encodePage(shown.at(-1)?.version) : null,
      };
    },
    async archive(id) {
      return view(await changed(store.agents.archive(id), 'Agent', id));
    },
    async resolve(id, version) {
      const record = await present(id, version);
      if (record.archived_at !== null) throw new ConflictError(`agent: Agent ${id} is archived`);
      const { metadata: _metadata, ...config } = dataOf(record);
      return { id, version: record.version, ...config };
    },
  };
}

function orNull(text: string | null | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

/** An agent without it does not have the field, so that its shape stays the SDK's. */
function careOf(care: ContextCare | null | undefined): { context_care?: ContextCare } {
  return care == null ? {} : { context_care: care };
}

/** The same holds for the policy. */
export function policyOf(policy: ActionPolicy | null | undefined): { policy?: ActionPolicy } {
  return policy == null ? {} : { policy };
}

function view(record: AgentRecord): Agent {
  const { name, description, model, system, tools, metadata, context_care: care, policy } = dataOf(record);
  return {
    id: record.id,
    type: 'agent',
    version: record.version,
    name,
    description,
    model,
    system,
    tools,
    ...careOf(care),
    ...policyOf(policy),
    metadata: { ...metadata },
    mcp_servers: [],
    skills: [],
    multiagent: null,
    execution_identity: { type: 'service_account' },
    created_at: record.created_at,
    updated_at: record.updated_at,
    archived_at: record.archived_at,
  };
}

/** The part of the provider registry by which an agent's model is checked. */
export type ServedModels = Pick<ProviderRegistry, 'providerFor'>;

/**
 * Refuses a model that no provider serves, so that its agent is refused and not each of the agent's sessions.
 *
 * @param models without it nothing is checked
 * @param place the path before `model` in the body
 * @throws {InvalidRequestError} in the API's words for such a model, with what to configure where that is known
 */
export function requireServed(models: ServedModels | undefined, model: string, place = ''): void {
  try {
    models?.providerFor(model);
  } catch (error) {
    throw error instanceof ModelNotFoundError ? new InvalidRequestError(`${place}${error.message}`) : error;
  }
}
