import { SandboxError, type TakeoverStart } from '@steadyhand/contracts';
import type { Takeovers } from '../watching/takeovers.ts';
import type { Viewers } from '../watching/viewers.ts';
import {
  type DaemonRoute,
  type DaemonUpgrade,
  type Exchange,
  acceptUpgrade,
  readJson,
  sendJson,
} from './exchange.ts';

const MAX_WAIT_MS = 30_000;

/** `POST /takeover`, `POST /handback {id}`, `GET /takeover?after=&wait_ms=`. */
export function watchingRoutes({ takeovers }: { readonly takeovers: Takeovers }): readonly DaemonRoute[] {
  return [
    {
      method: 'POST',
      path: '/takeover',
      handle: async ({ request, response }) =>
        sendJson(response, 200, await takeovers.start(readStart(await readJson(request)))),
    },
    {
      method: 'POST',
      path: '/handback',
      handle: async ({ request, response }) => {
        const { id } = (await readJson(request)) as { readonly id?: unknown };
        if (typeof id !== 'string') throw new SandboxError('invalid_request', 'id: expected a string');
        sendJson(response, 200, takeovers.end(id, 'handed_back'));
      },
    },
    {
      method: 'GET',
      path: '/takeover',
      handle: async (exchange) => {
        const gone = new AbortController();
        exchange.response.once('close', () => gone.abort());
        const after = numberOf(exchange, 'after', Number.MAX_SAFE_INTEGER);
        const page = await takeovers.read(after, numberOf(exchange, 'wait_ms', MAX_WAIT_MS), gone.signal);
        sendJson(exchange.response, 200, page);
      },
    },
  ];
}

/** `/vnc?takeover=`: the RFB protocol without a password. The server has checked who may watch. */
export function watchingUpgrades({ viewers }: { readonly viewers: Viewers }): readonly DaemonUpgrade[] {
  return [
    {
      path: '/vnc',
      handle: async (request, socket, head) => {
        const { searchParams } = new URL(request.url ?? '/', 'http://daemon');
        const serve = await viewers.open(searchParams.get('takeover'));
        acceptUpgrade(socket, head);
        serve(socket);
      },
    },
  ];
}

function numberOf({ query }: Exchange, name: string, most: number): number {
  const value = Number(query.get(name) ?? 0);
  if (!Number.isInteger(value) || value < 0 || value > most)
    throw new SandboxError('invalid_request', `${name}: expected a whole number from 0 to ${most}`);
  return value;
}

function readStart(body: unknown): TakeoverStart {
  const { id, record, disconnect_after_s, expires_after_s } = body as Partial<TakeoverStart>;
  if (typeof id !== 'string' || !/^[\w-]{1,100}$/.test(id))
    throw new SandboxError(
      'invalid_request',
      'id: expected 1 to 100 letters, digits, underscores or hyphens',
    );
  if (record !== 'full' && record !== 'no_keys')
    throw new SandboxError('invalid_request', 'record: expected "full" or "no_keys"');
  return {
    id,
    record,
    disconnect_after_s: seconds('disconnect_after_s', disconnect_after_s),
    expires_after_s: seconds('expires_after_s', expires_after_s),
  };
}

function seconds(name: string, value: unknown): number {
  if (typeof value !== 'number' || !(value > 0) || value > 86_400)
    throw new SandboxError('invalid_request', `${name}: expected a number of seconds up to 86400`);
  return value;
}
