import { ApplicationFailure, Context, activityInfo, heartbeat, sleep } from '@temporalio/activity';

/** How often each activity was entered, by the label that the workflow gives. */
export const entered = new Map<string, number>();

function enter(label: string): number {
  const times = (entered.get(label) ?? 0) + 1;
  entered.set(label, times);
  return times;
}

const gates = new Map<string, () => void>();

/** Lets an activity that waits in `gate` go on. */
export function openGate(label: string): void {
  gates.get(label)?.();
}

export const testActivities = {
  echo: (text: string): Promise<string> => Promise.resolve(`echo:${text}`),
  noop: (): Promise<void> => Promise.resolve(),
  /** Counts itself, then waits until the test opens its gate. */
  gate: async (label: string): Promise<string> => {
    enter(label);
    await new Promise<void>((resolve) => gates.set(label, resolve));
    return `passed ${label}`;
  },
  /** Fails `times` times, then answers with the attempt that succeeded. */
  flaky: async (label: string, times: number): Promise<number> => {
    enter(label);
    const { attempt } = activityInfo();
    if (attempt <= times) throw ApplicationFailure.create({ message: `attempt ${attempt}`, type: 'Flaky' });
    return Promise.resolve(attempt);
  },
  failWith: (options: { type: string; nonRetryable?: boolean; nextRetryDelay?: number }): Promise<never> => {
    enter(options.type);
    return Promise.reject(ApplicationFailure.create({ message: options.type, ...options }));
  },
  /** Answers after `ms` without a heartbeat; counts itself. */
  slow: async (label: string, ms: number): Promise<string> => {
    enter(label);
    await sleep(ms).catch(() => undefined);
    return label;
  },
  /** First attempt: heartbeats once and fails. Second: answers with what the first one left. */
  leaveDetails: (): Promise<unknown> => {
    const { heartbeatDetails } = activityInfo() as { heartbeatDetails: unknown };
    if (heartbeatDetails !== undefined) return Promise.resolve(heartbeatDetails);
    heartbeat({ offset: 42 });
    return Promise.reject(ApplicationFailure.create({ message: 'left', type: 'Left' }));
  },
  /** Heartbeats until it is cancelled. */
  untilCancelled: async (label: string): Promise<string> => {
    enter(label);
    for (;;) {
      heartbeat();
      try {
        await sleep(50);
      } catch (error) {
        if (Context.current().cancellationSignal.aborted) throw error;
      }
    }
  },
};

export type TestActivities = typeof testActivities;
