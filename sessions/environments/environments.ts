import type {
  BetaCloudConfig,
  BetaEnvironment,
  BetaEnvironmentDeleteResponse,
  BetaPackages,
  BetaSelfHostedConfig,
} from '@anthropic-ai/sdk/resources/beta/environments/environments.js';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type EnvironmentRecord, type NewId, recordData, type Store } from '@steadyhand/store';
import { creationPage, includeArchived, limit, type Page, page, Query, search } from '../api/query.ts';
import { metadata, metadataPatch, oneOf, patchedMetadata } from '../api/schema.ts';
import { changed, ConflictError, InvalidRequestError, NotFoundError, parse } from '../api/validate.ts';
import { networkingInput, networkingOf } from './networking.ts';
import { NO_PACKAGES, namesAny, packages } from './packages.ts';

export const environmentsQuery = { limit: limit(20), page, include_archived: includeArchived, search };

/** Environments: what the sandboxes of sessions are made from. */
export interface Environments {
  create(body: unknown): Promise<BetaEnvironment>;
  retrieve(id: string): Promise<BetaEnvironment>;
  /**
   * Changes later sandboxes, not the existing ones. Throws NotFoundError, and ConflictError for an archived
   * environment.
   */
  update(id: string, body: unknown): Promise<BetaEnvironment>;
  list(query?: URLSearchParams): Promise<Page<BetaEnvironment>>;
  archive(id: string): Promise<BetaEnvironment>;
  delete(id: string): Promise<BetaEnvironmentDeleteResponse>;
  /** The environment for sessions that name none. It is created at its first use. */
  fallback(): Promise<BetaEnvironment>;
  /**
   * The environment for a new session. Throws NotFoundError, ConflictError for an archived one, InvalidRequestError for
   * one whose tools run elsewhere.
   */
  usable(id: string): Promise<BetaEnvironment>;
}

/** The id of the environment for sessions that name none. */
export const DEFAULT_ENVIRONMENT = 'env_default';

type Config = BetaCloudConfig | BetaSelfHostedConfig;

interface StoredEnvironment {
  readonly name: string;
  readonly description: string | null;
  readonly config: Config;
  readonly metadata: Readonly<Record<string, string>>;
}

const { dataOf, toJson } = recordData<StoredEnvironment>();

const cloudInput = z.strictObject({
  type: z.literal('cloud'),
  networking: networkingInput.nullish(),
  packages: packages.nullish(),
});
const selfHosted = z.strictObject({ type: z.literal('self_hosted') });

type ConfigInput = z.infer<typeof cloudInput> | z.infer<typeof selfHosted>;

const config: z.ZodType<ConfigInput> = oneOf<ConfigInput>({ self_hosted: selfHosted, cloud: cloudInput });

/** Completes a configuration from the former one. Throws InvalidRequestError where its parts contradict each other. */
function configOf(given: ConfigInput | null | undefined, former?: Config): Config {
  if (given == null) return former ?? configOf({ type: 'cloud' });
  if (given.type === 'self_hosted') return given;
  const before = former?.type === 'cloud' ? former : undefined;
  const networking = networkingOf(given.networking, before?.networking);
  const wanted = given.packages ?? before?.packages ?? NO_PACKAGES;
  if (networking.type === 'limited' && !networking.allow_package_managers && namesAny(wanted)) {
    throw new InvalidRequestError(
      'config.networking.allow_package_managers: expected true: packages are installed over the network',
    );
  }
  return { type: 'cloud', networking, packages: wanted };
}

export const environmentCreate = z.strictObject({
  name: z.string().min(1).max(256),
  description: z.string().max(2048).nullish(),
  config: config.nullish(),
  metadata: metadata.optional(),
  scope: z.literal('organization').nullish(),
});

/** Fields that are left out stay, as do a `name` and a `config` of null, and the fields that `config` leaves out. */
export const environmentUpdate = z.strictObject({
  name: z.string().min(1).max(256).nullish(),
  description: z.string().max(2048).nullish(),
  config: config.nullish(),
  /** A value of null or an empty string removes the key. */
  metadata: metadataPatch.optional(),
  scope: z.literal('organization').nullish(),
});

export function createEnvironments(store: Store, newId: NewId): Environments {
  const present = async (id: string): Promise<EnvironmentRecord> => {
    const record = await store.environments.get(id);
    if (record === undefined) throw new NotFoundError('Environment', id);
    return record;
  };

  return {
    async create(body) {
      const given = parse(environmentCreate, body);
      const data: StoredEnvironment = {
        name: given.name,
        description: given.description ?? null,
        config: configOf(given.config),
        metadata: given.metadata ?? {},
      };
      return view(await store.environments.insert(newId('env'), toJson(data)));
    },
    async retrieve(id) {
      return view(await present(id));
    },
    async list(params = new URLSearchParams()) {
      const query = new Query(params, environmentsQuery);
      const sought = query.text('search');
      const filter = {
        includeArchived: query.boolean('include_archived'),
        ...(sought === undefined ? {} : { search: sought }),
      };
      return creationPage(query, (request) => store.environments.list({ ...request, ...filter }), view);
    },
    async update(id, body) {
      const change = parse(environmentUpdate, body);
      const record = await present(id);
      if (record.archived_at !== null) throw new ConflictError(`Environment ${id} is archived`);
      if (id === DEFAULT_ENVIRONMENT && change.config?.type === 'self_hosted') {
        throw new InvalidRequestError(
          "config: expected type 'cloud': the default environment is the server's own",
        );
      }
      const before = storedOf(record);
      const pairs = Object.entries(change.metadata ?? {}).map(
        ([key, value]) => [key, value || null] as const,
      );
      const after: StoredEnvironment = {
        name: change.name ?? before.name,
        description: change.description === undefined ? before.description : change.description,
        config: configOf(change.config, before.config),
        metadata: patchedMetadata(before.metadata, Object.fromEntries(pairs)),
      };
      if (isDeepStrictEqual(before, after)) return view(record);
      const updated = await store.environments.update(id, record.data, toJson(after));
      if (updated === undefined) throw new ConflictError(`Environment ${id} was changed at the same time`);
      return view(updated);
    },
    async archive(id) {
      return view(await changed(store.environments.archive(id), 'Environment', id));
    },
    async delete(id) {
      if (!(await store.environments.delete(id))) throw new NotFoundError('Environment', id);
      return { id, type: 'environment_deleted' };
    },
    async fallback() {
      const data: StoredEnvironment = {
        name: 'default',
        description: null,
        config: configOf(null),
        metadata: {},
      };
      return view(await store.environments.insert(DEFAULT_ENVIRONMENT, toJson(data)));
    },
    async usable(id) {
      const record = await present(id);
      if (record.archived_at !== null)
        throw new ConflictError(`environment_id: Environment ${id} is archived`);
      requireOurs(id, storedOf(record).config);
      return view(record);
    },
  };
}

/** Throws InvalidRequestError for an environment whose tools run elsewhere. */
function requireOurs(id: string, { type }: Config): void {
  if (type !== 'self_hosted') return;
  throw new InvalidRequestError(
    `environment_id: Environment ${id} is self_hosted, so its tools run on a worker of yours; this server has no work queue ` +
      'for workers yet, and never runs such tools itself. Use an environment of type cloud.',
  );
}

/**
 * Refuses a session whose environment this server does not run.
 *
 * @throws {InvalidRequestError} that names `environment_id`
 */
export async function requireRunnable(store: Pick<Store, 'environments'>, id: string): Promise<void> {
  const record = await store.environments.get(id);
  if (record !== undefined) requireOurs(id, storedOf(record).config);
}

/**
 * The networking and packages that an environment sets for sandboxes; empty where it was deleted.
 *
 * @throws {InvalidRequestError} where their tools do not run here
 */
export async function computerOf(
  store: Pick<Store, 'environments'>,
  id: string,
): Promise<{
  readonly networking?: BetaCloudConfig['networking'];
  readonly packages?: Required<BetaPackages>;
}> {
  const record = await store.environments.get(id);
  if (record === undefined) return {};
  const { config: kept } = storedOf(record);
  requireOurs(id, kept);
  if (kept.type !== 'cloud') return {};
  return { networking: kept.networking, packages: { ...kept.packages, type: 'packages' } };
}

function storedOf(record: EnvironmentRecord): StoredEnvironment {
  const data = dataOf(record);
  // Earlier versions stored the default environment as self-hosted.
  const isOld = record.id === DEFAULT_ENVIRONMENT && data.config.type === 'self_hosted';
  return isOld ? { ...data, config: configOf(null) } : data;
}

function view(record: EnvironmentRecord): BetaEnvironment {
  const { name, description, config: kept, metadata: pairs } = storedOf(record);
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
