import { setTimeout as sleep } from 'node:timers/promises';
import * as activity from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { RecordActivities } from './workflows.ts';

/** The activities of the recorded workflows: written so that what was recorded comes out again. */
export function createActivities(): { activities: RecordActivities; tokens: Map<string, Uint8Array> } {
  const tokens = new Map<string, Uint8Array>();
  const attempt = (): number => activity.Context.current().info.attempt;
  const activities: RecordActivities = {
    echo: (s) => Promise.resolve(`echo:${s}`),
    failTimes: (n) => {
      if (attempt() > n) return Promise.resolve(attempt());
      throw ApplicationFailure.retryable(`attempt ${attempt()}`, 'Again');
    },
    failAlways: (kind) => {
      if (kind === 'nonRetryable') throw ApplicationFailure.nonRetryable('never again', 'Fatal', { a: 1 });
      if (kind === 'listed') throw ApplicationFailure.retryable('listed as non-retryable', 'Listed');
      throw new Error('plain error');
    },
    slow: async (ms) => {
      await sleep(ms);
      return 'slow';
    },
    // Sends no heartbeat and ends when the worker does, so that a timed-out attempt holds nothing up.
    silent: async (ms) => {
      await Promise.race([sleep(ms), activity.Context.current().cancelled]);
      return 'silent';
    },
    heartbeatUntilCancelled: async () => {
      const beat = setInterval(() => activity.heartbeat(), 100);
      try {
        return await activity.Context.current().cancelled;
      } finally {
        clearInterval(beat);
      }
    },
    completeElsewhere: () => {
      const { taskToken, workflowExecution } = activity.Context.current().info;
      tokens.set(workflowExecution?.workflowId ?? '', taskToken);
      throw new activity.CompleteAsyncError();
    },
    resumeFromHeartbeat: async () => {
      const details = activity.Context.current().info.heartbeatDetails as unknown;
      if (typeof details === 'number') return details + 1;
      activity.heartbeat(41);
      await sleep(50);
      throw new Error('crash after heartbeat');
    },
  };
  return { activities, tokens };
}
