import type { DaemonHealth } from '../../daemon-health.ts';
import { isSandboxId } from '../../folders/sandbox-folders.ts';
import { invalidRequest } from '../../invalid-request.ts';
import { type DaemonRoutes, readJson } from './exchange.ts';

/** `POST /assign {id}`: gives the computer of a spare to the sandbox of that id. */
export function spareRoutes(daemon: { assign(id: string): DaemonHealth }): DaemonRoutes {
  return {
    'POST /assign': async ({ request }) => {
      const { id } = ((await readJson(request)) ?? {}) as { readonly id?: unknown };
      if (typeof id !== 'string' || !isSandboxId(id))
        throw invalidRequest('id: expected the id of a sandbox');
      return daemon.assign(id);
    },
  };
}
