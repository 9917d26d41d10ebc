import type { Logger } from 'pino';
import { DefaultLogger, Runtime } from '@temporalio/worker';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** This warning is expected, because the worker of the batches' requests has no workflows. */
const EXPECTED = 'No workflows registered';

/**
 * Sends the log of Temporal's SDK into the process's log, with its routine notes at level debug. Called once per process.
 * @param metrics the address at which the SDK serves metrics of its own
 */
export function routeTemporalLogs(log: Logger, metrics?: string): void {
  const temporal = log.child({ part: 'temporal' });
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('DEBUG', ({ level, message, meta }) => {
      temporal[message.startsWith(EXPECTED) ? 'debug' : LEVELS[level]]({ ...meta }, message);
    }),
    ...(metrics === undefined
      ? {}
      : {
          telemetryOptions: {
            metrics: { prometheus: { bindAddress: metrics, useSecondsForDurations: true } },
          },
        }),
  });
}
