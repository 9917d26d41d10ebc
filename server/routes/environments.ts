import type { BetaEnvironment } from '@anthropic-ai/sdk/resources/beta/environments/environments.js';
import { z } from 'zod';
import {
  environmentCreate,
  type Environments,
  environmentsQuery,
  environmentUpdate,
} from '@steadyhand/sessions';
import { named } from '../routing/components.ts';
import { deleted, json, maybeTime, pageOf, pairs, time } from '../routing/shapes.ts';
import { routesOf } from '../routing/route.ts';

export const networking = z.union([
  z.object({ type: z.literal('unrestricted') }),
  z.object({
    type: z.literal('limited'),
    allow_mcp_servers: z.boolean(),
    allow_package_managers: z.boolean(),
    allowed_hosts: z.array(z.string()),
  }),
]);

const names = z.array(z.string());

const environment: z.ZodType<BetaEnvironment> = z.object({
  id: z.string(),
  type: z.literal('environment'),
  name: z.string(),
  description: z.string().nullable(),
  config: z.union([
    z.object({ type: z.literal('self_hosted') }),
    z.object({
      type: z.literal('cloud'),
      networking,
      packages: z.object({
        type: z.exactOptional(z.literal('packages')),
        apt: names,
        cargo: names,
        gem: names,
        go: names,
        npm: names,
        pip: names,
      }),
    }),
  ]),
  metadata: pairs,
  scope: z.literal('organization'),
  created_at: time,
  updated_at: time,
  archived_at: maybeTime,
});

named({ environment, environmentCreate, environmentUpdate });

export interface EnvironmentRouteDeps {
  readonly sessions: { readonly environments: Environments };
}

const route = routesOf<EnvironmentRouteDeps>()('Environments', { id: 'An environment’s id, `env_…`' });

/** The routes of `/v1/environments`, as in the Managed Agents API. */
export const environmentRoutes = [
  route('GET /v1/environments', 'listEnvironments', 'List environments', {
    query: environmentsQuery,
    answer: pageOf(environment),
    handle: ({ sessions }, { search }) => sessions.environments.list(search),
  }),
  route('POST /v1/environments', 'createEnvironment', 'Create an environment', {
    body: json(environmentCreate, { name: 'default' }),
    answer: environment,
    handle: ({ sessions }, { unchecked }) => sessions.environments.create(unchecked),
  }),
  route('GET /v1/environments/{id}', 'retrieveEnvironment', 'Retrieve an environment', {
    answer: environment,
    handle: ({ sessions }, { params }) => sessions.environments.retrieve(params.id),
  }),
  route('POST /v1/environments/{id}', 'updateEnvironment', 'Update an environment', {
    description: 'What is left out stays. Sandboxes that are there keep what they were made from.',
    body: json(environmentUpdate, { description: 'For the tests' }),
    answer: environment,
    errors: [409],
    handle: ({ sessions }, { params, unchecked }) => sessions.environments.update(params.id, unchecked),
  }),
  route('DELETE /v1/environments/{id}', 'deleteEnvironment', 'Delete an environment', {
    answer: deleted('environment_deleted'),
    handle: ({ sessions }, { params }) => sessions.environments.delete(params.id),
  }),
  route('POST /v1/environments/{id}/archive', 'archiveEnvironment', 'Archive an environment', {
    answer: environment,
    handle: ({ sessions }, { params }) => sessions.environments.archive(params.id),
  }),
];
