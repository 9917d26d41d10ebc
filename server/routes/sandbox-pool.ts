import { Router, type Request } from 'express';
import { ApiError } from '@steadyhand/contracts';
import { REGISTRATION_HEADERS, REGISTRATION_PATH } from '@steadyhand/sandbox/client';
import type { SandboxPoolMember, SandboxPoolService, ServerDeps } from '../deps.ts';
import { route } from '../routing.ts';

const MAX_BYTES = 64 * 1024;

/**
 * Where machines that lend themselves for a sandbox register. They have no API key: who they are is proven by the pool's token,
 * in headers, both ways; see docs/sandbox-pool.md. Belongs before the key is asked for and before bodies are read.
 */
export function sandboxPoolRegistration({ sandboxPool }: Pick<ServerDeps, 'sandboxPool'>): Router {
  const router = Router();
  route(router, REGISTRATION_PATH, {
    post: async (req, res) => {
      const pool = requirePool(sandboxPool);
      const header = (name: string): string => req.get(name) ?? '';
      const { body, proof } = pool.register({
        time: header(REGISTRATION_HEADERS.time),
        nonce: header(REGISTRATION_HEADERS.nonce),
        proof: header(REGISTRATION_HEADERS.proof),
        body: await textOf(req),
        from: req.socket.remoteAddress ?? '',
      });
      res.set({ 'content-type': 'application/json', [REGISTRATION_HEADERS.proof]: proof }).send(body);
    },
  });
  return router;
}

/** `GET /v1/sandbox_pool/members`: which machines there are, for people. */
export function sandboxPoolRoutes({ sandboxPool }: Pick<ServerDeps, 'sandboxPool'>): Router {
  const router = Router();
  route(router, '/v1/sandbox_pool/members', {
    get: (_req, res) => {
      const members = sandboxPool?.members() ?? [];
      res.json({ data: members.map(view) });
    },
  });
  return router;
}

function view({ id, ...member }: SandboxPoolMember): object {
  return { id, type: 'sandbox_pool_member', ...member };
}

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
