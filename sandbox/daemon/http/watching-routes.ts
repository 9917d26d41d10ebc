import { type TakeoverStart } from '@steadyhand/contracts';
import { invalidRequest } from '../../invalid-request.ts';
import type { Takeovers } from '../watching/takeovers.ts';
import type { Viewers } from '../watching/viewers.ts';
import {
  type DaemonRoutes,
  type DaemonUpgrades,
  type Exchange,
  acceptUpgrade,
  readJson,
} from './exchange.ts';

const MAX_WAIT_MS = 30_000;

/** `POST /takeover`, `POST /handback {id}`, `GET /takeover?after=&wait_ms=`. */
export function watchingRoutes({ takeovers }: { readonly takeovers: Takeovers }): DaemonRoutes {
  return {
    'POST /takeover': async ({ request }) => takeovers.start(readStart(await readJson(request))),
    'POST /handback': async ({ request }) => {
      const { id } = (await readJson(request)) as { readonly id?: unknown };
      if (typeof id !== 'string') throw invalidRequest('id: expected a string');
      return takeovers.end(id, 'handed_back');
    },
    'GET /takeover': async (exchange) => {
      const gone = new AbortController();
      exchange.response.once('close', () => gone.abort());
      const after = numberOf(exchange, 'after', Number.MAX_SAFE_INTEGER);
      return takeovers.read(after, numberOf(exchange, 'wait_ms', MAX_WAIT_MS), gone.signal);
    },
  };
}

/** `/vnc?takeover=`: the RFB protocol without a password. The server has checked who may watch. */
export function watchingUpgrades({ viewers }: { readonly viewers: Viewers }): DaemonUpgrades {
  return {
    '/vnc': async (request, socket, head) => {
      const { searchParams } = new URL(request.url ?? '/', 'http://daemon');
      const serve = await viewers.open(searchParams.get('takeover'));
      acceptUpgrade(socket, head);
      serve(socket);
    },
  };
}

function numberOf({ query }: Exchange, name: string, most: number): number {
  const value = Number(query.get(name) ?? 0);
  if (!Number.isInteger(value) || value < 0 || value > most)
    throw invalidRequest(`${name}: expected a whole number from 0 to ${most}`);
  return value;
}

function readStart(body: unknown): TakeoverStart {
  const { id, record, disconnect_after_s, expires_after_s } = body as Partial<TakeoverStart>;
  if (typeof id !== 'string' || !/^[\w-]{1,100}$/.test(id))
    throw invalidRequest('id: expected 1 to 100 letters, digits, underscores or hyphens');
  if (record !== 'full' && record !== 'no_keys') throw invalidRequest('record: expected "full" or "no_keys"');
  return {
    id,
    record,
    disconnect_after_s: seconds('disconnect_after_s', disconnect_after_s),
    expires_after_s: seconds('expires_after_s', expires_after_s),
  };
}

function seconds(name: string, value: unknown): number {
  if (typeof value !== 'number' || !(value > 0) || value > 86_400)
    throw invalidRequest(`${name}: expected a number of seconds up to 86400`);
  return value;
}
