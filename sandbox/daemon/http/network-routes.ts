import { SandboxError } from '@steadyhand/contracts';
import type { Daemon } from '../daemon.ts';
import { type DaemonRoute, sendJson } from './exchange.ts';

const MAX_ENTRIES = 1_000;

/** `GET /network_log?after=N&limit=N`: requests to the egress proxy with numbers above N, oldest first, at most 1,000. */
export function networkRoutes({ networkLog }: Pick<Daemon, 'networkLog'>): readonly DaemonRoute[] {
  return [
    {
      method: 'GET',
      path: '/network_log',
      handle: ({ response, query }) => {
        const limit = Math.min(wholeNumber(query, 'limit') ?? MAX_ENTRIES, MAX_ENTRIES);
        sendJson(response, 200, networkLog.after(wholeNumber(query, 'after') ?? 0, limit));
      },
    },
  ];
}

function wholeNumber(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  if (!/^\d{1,15}$/.test(text)) throw new SandboxError('invalid_request', `${name}: expected a whole number`);
  return Number(text);
}
