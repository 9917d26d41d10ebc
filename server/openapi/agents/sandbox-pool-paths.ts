import { z } from 'zod';
import { REGISTRATION_HEADERS, REGISTRATION_PATH } from '@steadyhand/sandbox/client';
import type { Components } from '../components.ts';
import type { Parameter, Paths } from '../document.ts';
import { answers, describe, json } from './operations.ts';
import { time, wholeList } from './shapes.ts';

const isolation = z.enum(['bubblewrap', 'container', 'none']);

export const sandboxPoolMember = z.object({
  id: z.string().describe('`mem_…`; another one after each sandbox it has had'),
  type: z.literal('sandbox_pool_member'),
  status: z.enum(['free', 'used', 'away']).describe('`away`: not heard of for 20 seconds'),
  sandbox_id: z.string().nullable(),
  address: z.string(),
  isolation,
  desktop: z.boolean().describe('Whether it has the programs of a desktop'),
  last_seen_at: time,
});

const registration = z.object({
  member: z.string(),
  sandbox: z.string().nullable(),
  owner: z.string().nullable().describe('Whose server made the sandbox'),
  isolation,
  missing: z.array(z.string()).describe('Programs without which it has no desktop'),
  address: z.object({
    host: z.string().nullable().describe('null: where the registration comes from'),
    port: z.int(),
  }),
});

const registered = z.object({ type: z.literal('sandbox_pool_registration'), member: z.string() });

const header = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** The routes of the pool of sandboxes that live elsewhere. */
export function sandboxPoolPaths(components: Components): Paths {
  return {
    [REGISTRATION_PATH]: {
      post: describe(components, 'registerSandboxPoolMember', 'Register a machine for a sandbox', {
        tag: 'Sandboxes',
        description:
          'Sent by members of the pool every few seconds, and needs no API key: the headers prove the pool’s token, and so does the answer’s `x-steadyhand-proof`.',
        parameters: [
          header(REGISTRATION_HEADERS.time, 'Milliseconds since the epoch; within five minutes of now'),
          header(REGISTRATION_HEADERS.nonce, 'Random'),
          header(REGISTRATION_HEADERS.proof, 'Over the time, the nonce and the body'),
        ],
        body: json(registration, {
          member: 'mem_0123456789abcdef01234567',
          sandbox: null,
          owner: null,
          isolation: 'container',
          missing: [],
          address: { host: null, port: 7077 },
        }),
        answer: answers(registered),
        errors: [404],
      }),
    },
    '/v1/sandbox_pool/members': {
      get: describe(components, 'listSandboxPoolMembers', 'List the machines of the sandbox pool', {
        tag: 'Sandboxes',
        answer: answers(wholeList(sandboxPoolMember)),
      }),
    },
  };
}
