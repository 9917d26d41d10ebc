import { SandboxError } from '@steadyhand/contracts';
import { type DaemonRoute, readJson, sendJson } from '../daemon/http/exchange.ts';
import type { PoolMachine } from './pool-machine.ts';
import type { ClaimRequest, ReleaseRequest } from './protocol.ts';

/** The routes that a pool machine answers whether or not it holds a sandbox: see `protocol.ts`. */
export function poolMachineRoutes(member: PoolMachine, released: () => void): readonly DaemonRoute[] {
  return [
    {
      method: 'GET',
      path: '/member',
      handle: ({ response }) => sendJson(response, 200, member.state),
    },
    {
      method: 'POST',
      path: '/member/claim',
      handle: async ({ request, response }) =>
        sendJson(response, 200, await member.claim(readClaim(await readJson(request)))),
    },
    {
      method: 'POST',
      path: '/member/release',
      handle: async ({ request, response }) => {
        await member.release(readRelease(await readJson(request)));
        sendJson(response, 200, {});
        // The answer is sent first. A fresh process has nothing of the old sandbox in its memory.
        response.once('close', released);
      },
    },
  ];
}

function readClaim(body: unknown): ClaimRequest {
  const { owner, again, config } = fieldsOf(body);
  if (typeof owner !== 'string' || typeof again !== 'boolean' || typeof fieldsOf(config)['id'] !== 'string')
    throw new SandboxError(
      'invalid_request',
      'expected {owner: string, again: boolean, config: {id: string, ...}}',
    );
  // The server, which knows the token, has checked the rest.
  return body as ClaimRequest;
}

function readRelease(body: unknown): ReleaseRequest {
  const { owner, id } = fieldsOf(body);
  if (typeof owner !== 'string' || typeof id !== 'string')
    throw new SandboxError('invalid_request', 'expected {owner: string, id: string}');
  return { owner, id };
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}
