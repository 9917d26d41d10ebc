import type { Request } from 'express';
import { z } from 'zod';
import { ApiError } from '@steadyhand/contracts';
import { REGISTRATION_HEADERS, REGISTRATION_PATH } from '@steadyhand/sandbox/client';
import { json, jsonPieces, time, wholeList } from '../routing/shapes.ts';
import { routesOf, type DeepReadonly } from '../routing/route.ts';

const MAX_BYTES = 64 * 1024;

const isolation = z.enum(['bubblewrap', 'container', 'none']);

const sandboxPoolMember = z.object({
  id: z.string().describe('`mem_…`; it lies in the machine’s folder'),
  type: z.literal('sandbox_pool_member'),
  status: z
    .enum(['free', 'used', 'draining', 'away'])
    .describe(
      '`free`: it has room for a sandbox; `draining`: it takes none, because it is about to end; `away`: not heard of for 20 seconds',
    ),
  capacity: z.int().describe('How many sandboxes it can hold'),
  used: z.int(),
  draining: z.boolean(),
  sandbox_id: z.string().nullable().describe('The first of `sandbox_ids`'),
  sandbox_ids: z.array(z.string()).describe('The sandboxes that it holds'),
  address: z.string(),
  isolation,
  desktop: z.boolean().describe('Whether it has the programs of a desktop'),
  last_seen_at: time,
});
type SandboxPoolMember = DeepReadonly<z.output<typeof sandboxPoolMember>>;

/** How much of the pool is used and wanted. */
export const poolFigures = z.object({
  members: z.int().describe('Machines that were heard of lately'),
  away: z.int().describe('Machines that were not heard of for 20 seconds'),
  draining: z.int().describe('Machines, of `members`, that take no new sandboxes'),
  places: z.int().describe('How many sandboxes the machines can hold that take new ones'),
  used: z.int().describe('Sandboxes that the machines hold'),
  free: z.int().describe('How many more sandboxes there is room for'),
  waiting: z.int().describe('Sandboxes that wait in line for a place'),
  lost: z.int().describe('Sandboxes that were lost with their machines, and are not deleted yet'),
});

const registration = z.object({
  member: z.string(),
  capacity: z.int().describe('How many sandboxes it can hold'),
  sandboxes: z.array(
    z.object({
      id: z.string(),
      owner: z.string().describe('The installation that made the sandbox'),
      created_at: z.string(),
    }),
  ),
  draining: z.boolean().describe('Whether it takes no new sandboxes'),
  isolation,
  missing: z.array(z.string()).describe('Programs without which it has no desktop'),
  address: z.object({
    host: z.string().nullable().describe('null: where the registration comes from'),
    port: z.int(),
  }),
});

/** The pool of machines elsewhere. */
export interface SandboxPoolService {
  /** Registers a member; answers the body to send back and its proof. Throws an ApiError when the proof is wrong. */
  register(signed: {
    readonly time: string;
    readonly nonce: string;
    readonly proof: string;
    readonly body: string;
    /** The address that it came from, before any proxy that is trusted. */
    readonly from: string;
  }): Promise<{ readonly body: string; readonly proof: string }>;
  members(): Promise<readonly Omit<SandboxPoolMember, 'type'>[]>;
  figures(): Promise<DeepReadonly<z.output<typeof poolFigures>>>;
}

export interface SandboxPoolRouteDeps {
  readonly sandboxPool?: SandboxPoolService;
}

const route = routesOf<SandboxPoolRouteDeps>()('Sandboxes', {});

/**
 * The route at which machines that lend themselves for a sandbox register. They have no API key: both sides prove by headers that
 * they know the pool's token; see docs/sandbox-pool.md. It belongs before the key is asked for and before bodies are read.
 */
export const sandboxPoolRegistration = [
  route(`POST ${REGISTRATION_PATH}`, 'registerSandboxPoolMember', 'Register a machine for a sandbox', {
    description:
      'Sent by members of the pool every few seconds, and needs no API key: the headers prove the pool’s token, and so does the answer’s `x-steadyhand-proof`.',
    headers: {
      [REGISTRATION_HEADERS.time]: z
        .string()
        .describe('Milliseconds since the epoch; within five minutes of now'),
      [REGISTRATION_HEADERS.nonce]: z.string().describe('Random'),
      [REGISTRATION_HEADERS.proof]: z.string().describe('Over the time, the nonce and the body'),
    },
    body: json(registration, {
      member: 'mem_0123456789abcdef01234567',
      capacity: 1,
      sandboxes: [],
      draining: false,
      isolation: 'container',
      missing: [],
      address: { host: null, port: 7077 },
    }),
    answer: jsonPieces(z.object({ type: z.literal('sandbox_pool_registration'), member: z.string() })),
    errors: [404],
    handle: async ({ sandboxPool }, { req, res }) => {
      const pool = requirePool(sandboxPool);
      const header = (name: string): string => req.get(name) ?? '';
      const { body, proof } = await pool.register({
        time: header(REGISTRATION_HEADERS.time),
        nonce: header(REGISTRATION_HEADERS.nonce),
        proof: header(REGISTRATION_HEADERS.proof),
        body: await textOf(req),
        from: req.ip ?? '',
      });
      res.set({ 'content-type': 'application/json', [REGISTRATION_HEADERS.proof]: proof }).send(body);
    },
  }),
];

/** The route that tells people which machines there are. */
export const sandboxPoolRoutes = [
  route('GET /v1/sandbox_pool/members', 'listSandboxPoolMembers', 'List the machines of the sandbox pool', {
    answer: wholeList(sandboxPoolMember),
    handle: async ({ sandboxPool }) => ({
      data: ((await sandboxPool?.members()) ?? []).map(({ id, ...member }) => ({
        id,
        type: 'sandbox_pool_member' as const,
        ...member,
      })),
    }),
  }),
];

function requirePool(pool: SandboxPoolService | undefined): SandboxPoolService {
  if (pool !== undefined) return pool;
  throw new ApiError('not_found_error', 'There is no sandbox pool here: SANDBOX_POOL_TOKEN is not set');
}

async function textOf(req: Request): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES)
      throw new ApiError('request_too_large', `A registration has at most ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
