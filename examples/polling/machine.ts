import { durable } from '@steadyhand/statechart/workflow';
import { assign, setup } from 'xstate';

export interface Job {
  readonly id: string;
  /** Milliseconds before the second look; each further wait is twice as long. */
  readonly interval: number;
  /** The longest wait in milliseconds. */
  readonly maxInterval: number;
  /** Milliseconds after which the job counts as lost. */
  readonly deadline: number;
}

/** Looks whether a job elsewhere has ended, less and less often. `hurry` looks at once and begins with short waits again. */
export const pollingMachine = setup({
  types: {} as {
    input: Job;
    context: { job: Job; looks: number; waits: number; result: string | null };
    events: { type: 'hurry' };
    output: { result: string | null; looks: number };
  },
  actors: { look: durable<string | null, { id: string }>() },
  delays: {
    backOff: ({ context: { job, waits } }) => Math.min(job.maxInterval, job.interval * 2 ** waits),
    deadline: ({ context }) => context.job.deadline,
  },
}).createMachine({
  id: 'polling',
  context: ({ input }) => ({ job: input, looks: 0, waits: 0, result: null }),
  initial: 'open',
  states: {
    open: {
      after: { deadline: 'lost' },
      initial: 'looking',
      states: {
        looking: {
          entry: assign({ looks: ({ context }) => context.looks + 1 }),
          invoke: {
            src: 'look',
            input: ({ context }) => ({ id: context.job.id }),
            onDone: [
              {
                guard: ({ event }) => event.output !== null,
                target: '#polling.ended',
                actions: assign({ result: ({ event }) => event.output }),
              },
              { target: 'waiting' },
            ],
            // A service that does not answer is asked again after the same wait as one that says "not yet".
            onError: 'waiting',
          },
        },
        waiting: {
          after: { backOff: 'looking' },
          exit: assign({ waits: ({ context }) => context.waits + 1 }),
          on: { hurry: 'hurrying' },
        },
        hurrying: { entry: assign({ waits: 0 }), always: 'looking' },
      },
    },
    ended: { type: 'final' },
    lost: { type: 'final' },
  },
  output: ({ context: { result, looks } }) => ({ result, looks }),
});
