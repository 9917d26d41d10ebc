import { randomUUID } from 'node:crypto';
import type { Tracing } from '@steadyhand/contracts';
import { startTracing } from '@steadyhand/telemetry';
import type { Config } from '../config/config.ts';
import type { Shutdown } from '../shutdown.ts';

/** Starts to send traces, where the configuration asks for it. */
export async function openTracing(
  { tracing, role }: Pick<Config, 'tracing' | 'role'>,
  {
    version,
    shutdown,
    warn,
  }: {
    readonly version: string;
    readonly shutdown: Shutdown;
    readonly warn: (fault: string) => void;
  },
): Promise<Tracing | undefined> {
  if (!tracing) return undefined;
  const started = await startTracing({
    serviceName: role === 'all' ? 'steadyhand' : `steadyhand-${role}`,
    version,
    instance: randomUUID(),
    warn,
  });
  shutdown.add(() => started.stop());
  return started.tracing;
}
