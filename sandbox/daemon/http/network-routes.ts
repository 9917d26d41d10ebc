import { invalidRequest } from '../../invalid-request.ts';
import type { LineEnds } from '../../egress/line.ts';
import type { RequestLog } from '../../egress/request-log.ts';
import { type DaemonRoutes, type DaemonUpgrades, acceptUpgrade } from './exchange.ts';

const MAX_ENTRIES = 1_000;

/** `GET /network_log?after=N&limit=N`: requests to the egress proxy numbered above N, oldest first, at most 1,000. */
export function networkRoutes({ networkLog }: { readonly networkLog: RequestLog }): DaemonRoutes {
  return {
    'GET /network_log': ({ query }) => {
      const limit = Math.min(wholeNumber(query, 'limit') ?? MAX_ENTRIES, MAX_ENTRIES);
      return networkLog.after(wholeNumber(query, 'after') ?? 0, limit);
    },
  };
}

/** `/egress`: the line over which a server makes this sandbox's connections; see `sandbox/egress/line.ts`. */
export function networkUpgrades({
  egressLines,
}: {
  /** Null when no server makes the connections. */
  readonly egressLines: LineEnds | null;
}): DaemonUpgrades {
  return {
    '/egress': (_request, socket, head) => {
      if (egressLines === null) throw invalidRequest('this sandbox does not go out through a server');
      acceptUpgrade(socket, head);
      egressLines.add(socket);
    },
  };
}

function wholeNumber(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  if (!/^\d{1,15}$/.test(text)) throw invalidRequest(`${name}: expected a whole number`);
  return Number(text);
}
