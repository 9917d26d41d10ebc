import type { Logger } from 'pino';
import { DefaultLogger, Runtime } from '@temporalio/worker';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** The worker of the batches' requests has no workflows. */
const MEANT = 'No workflows registered';

/** Sends what Temporal's SDK logs into the process's log; its routine notes count as debug. Once a process. */
export function routeTemporalLogs(log: Logger): void {
  const temporal = log.child({ part: 'temporal' });
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('DEBUG', ({ level, message, meta }) => {
      temporal[message.startsWith(MEANT) ? 'debug' : LEVELS[level]]({ ...meta }, message);
    }),
  });
}
