import type { Logger } from 'pino';
import {
  createListener,
  createProbeApp,
  type Listener,
  type Readiness,
  type Scrub,
} from '@steadyhand/server';
import { createIds } from '@steadyhand/store';
import { AddressUnavailableError } from '../address-unavailable.ts';
import type { Config } from '../config/config.ts';
import type { Shutdown } from '../shutdown.ts';

/** Binds the process's HTTP port. Until the role takes it over, probes are answered, and everything else is told to ask again. */
export async function openListening(
  { role, host, port: serverPort, healthPort, drain }: Config,
  { readiness, log, scrub, shutdown }: ListeningParts,
): Promise<Listener> {
  const port = role === 'worker' ? healthPort : serverPort;
  const listener = createListener();
  listener.show(
    createProbeApp({
      readiness,
      drain: listener.drain,
      log,
      newId: createIds(),
      scrub,
      isStarting: true,
    }),
  );
  await listener.listen(host, port).catch((error: unknown) => {
    throw new AddressUnavailableError(role === 'worker' ? 'HEALTH_PORT' : 'PORT', host, port, error);
  });
  shutdown.add(() => listener.drain.close(drain.timeoutMs));
  return listener;
}

interface ListeningParts {
  readonly readiness: Readiness;
  readonly log: Logger;
  readonly scrub: Scrub;
  readonly shutdown: Shutdown;
}
