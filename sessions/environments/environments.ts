import type {
  BetaCloudConfig,
  BetaEnvironment,
  BetaEnvironmentDeleteResponse,
  BetaPackages,
  BetaSelfHostedConfig,
} from '@anthropic-ai/sdk/resources/beta/environments/environments.js';
import { z } from 'zod';
import {
  type EnvironmentRecord,
  type JsonObject,
  type NewId,
  NotStored,
  type Store,
} from '../../store/index.ts';
import { creationPage, type Page, Query } from '../page.ts';
import { metadata, oneOf } from '../schema.ts';
import { Conflict, NotFound, parse } from '../validate.ts';
import { NO_PACKAGES, namesAny, packages } from './packages.ts';

/** Environments: what the sandboxes of sessions are made from. */
export interface Environments {
  create(body: unknown): Promise<BetaEnvironment>;
  retrieve(id: string): Promise<BetaEnvironment>;
  list(query?: URLSearchParams): Promise<Page<BetaEnvironment>>;
  archive(id: string): Promise<BetaEnvironment>;
  delete(id: string): Promise<BetaEnvironmentDeleteResponse>;
  /** The one for sessions that name none: made at its first use. */
  fallback(): Promise<BetaEnvironment>;
  /** For a new session. Throws NotFound, and Conflict for an archived one. */
  usable(id: string): Promise<BetaEnvironment>;
}

/** Used by sessions that name no environment. */
export const DEFAULT_ENVIRONMENT = 'env_default';

type Config = BetaCloudConfig | BetaSelfHostedConfig;

interface StoredEnvironment {
  readonly name: string;
  readonly description: string | null;
  readonly config: Config;
  readonly metadata: Readonly<Record<string, string>>;
}

const networking = oneOf<BetaCloudConfig['networking']>({
  unrestricted: z.strictObject({ type: z.literal('unrestricted') }),
  limited: z
    .strictObject({
      type: z.literal('limited'),
      allow_mcp_servers: z.boolean().nullish(),
      allow_package_managers: z.boolean().nullish(),
      allowed_hosts: z.array(z.string().min(1)).nullish(),
    })
    .transform(({ allow_mcp_servers, allow_package_managers, allowed_hosts }) => ({
      type: 'limited' as const,
      allow_mcp_servers: allow_mcp_servers ?? false,
      allow_package_managers: allow_package_managers ?? false,
      allowed_hosts: allowed_hosts ?? [],
    })),
});

const config = oneOf<Config>({
  self_hosted: z.strictObject({ type: z.literal('self_hosted') }),
  cloud: z
    .strictObject({
      type: z.literal('cloud'),
      networking: networking.nullish(),
      packages: packages.nullish(),
    })
    .superRefine((given, context) => {
      const closed = given.networking?.type === 'limited' && !given.networking.allow_package_managers;
      if (!closed || !namesAny(given.packages ?? NO_PACKAGES)) return;
      context.addIssue({
        code: 'custom',
        path: ['networking', 'allow_package_managers'],
        message: 'expected true: packages are installed over the network',
      });
    })
    .transform((given) => ({
      type: 'cloud' as const,
      networking: given.networking ?? { type: 'unrestricted' as const },
      packages: given.packages ?? NO_PACKAGES,
    })),
});

export const environmentCreate = z.strictObject({
  name: z.string().min(1).max(256),
  description: z.string().max(2048).nullish(),
  config: config.nullish(),
  metadata: metadata.optional(),
  scope: z.literal('organization').nullish(),
});

export function createEnvironments(store: Store, newId: NewId): Environments {
  const present = async (id: string): Promise<EnvironmentRecord> => {
    const record = await store.environments.get(id);
    if (record === undefined) throw new NotFound('Environment', id);
    return record;
  };

  return {
    async create(body) {
      const given = parse(environmentCreate, body);
      const data: StoredEnvironment = {
        name: given.name,
        description: given.description ?? null,
        config: given.config ?? { type: 'self_hosted' },
        metadata: given.metadata ?? {},
      };
      return view(await store.environments.insert(newId('env'), toJson(data)));
    },
    async retrieve(id) {
      return view(await present(id));
    },
    async list(params = new URLSearchParams()) {
      const query = new Query(params, ['limit', 'page', 'include_archived']);
      const includeArchived = query.boolean('include_archived') ?? false;
      return creationPage(query, (request) => store.environments.list({ ...request, includeArchived }), view);
    },
    async archive(id) {
      try {
        return view(await store.environments.archive(id));
      } catch (error) {
        if (error instanceof NotStored) throw new NotFound('Environment', id);
        throw error;
      }
    },
    async delete(id) {
      if (!(await store.environments.delete(id))) throw new NotFound('Environment', id);
      return { id, type: 'environment_deleted' };
    },
    async fallback() {
      const data: StoredEnvironment = {
        name: 'default',
        description: null,
        config: { type: 'self_hosted' },
        metadata: {},
      };
      return view(await store.environments.insert(DEFAULT_ENVIRONMENT, toJson(data)));
    },
    async usable(id) {
      const record = await present(id);
      if (record.archived_at !== null) throw new Conflict(`environment_id: Environment ${id} is archived`);
      return view(record);
    },
  };
}

/** What an environment says of the computers of its sessions; nothing where it leaves them to this machine's defaults. */
export async function computerOf(
  store: Pick<Store, 'environments'>,
  id: string,
): Promise<{
  readonly networking?: BetaCloudConfig['networking'];
  readonly packages?: Required<BetaPackages>;
}> {
  const record = await store.environments.get(id);
  const kept = (record?.data as unknown as StoredEnvironment | undefined)?.config;
  if (kept?.type !== 'cloud') return {};
  return { networking: kept.networking, packages: { ...kept.packages, type: 'packages' } };
}

function toJson(data: StoredEnvironment): JsonObject {
  return data as unknown as JsonObject;
}

function view(record: EnvironmentRecord): BetaEnvironment {
  const { name, description, config: kept, metadata: pairs } = record.data as unknown as StoredEnvironment;
  return {
    id: record.id,
    type: 'environment',
    name,
    description,
    config: kept,
    metadata: { ...pairs },
    scope: 'organization',
    created_at: record.created_at,
    updated_at: record.updated_at,
    archived_at: record.archived_at,
  };
}
