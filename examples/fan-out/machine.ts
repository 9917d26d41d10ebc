import { durable } from '@steadyhand/statechart/workflow';
import { assign, enqueueActions, setup, type DoneActorEvent, type ErrorActorEvent } from 'xstate';

export interface Batch {
  readonly files: readonly string[];
  /** How many are converted at the same time. */
  readonly atOnce: number;
}

/**
 * Converts many files, a few at a time: each is an actor of its own, a free place goes to the next one, and one that fails stops
 * none of the others. `stop` starts no more and waits for those that run.
 */
export const batchMachine = setup({
  types: {} as {
    input: Batch;
    context: {
      waiting: readonly string[];
      running: number;
      done: Readonly<Record<string, number>>;
      failed: Readonly<Record<string, string>>;
    };
    events: { type: 'stop' } | DoneActorEvent<number> | ErrorActorEvent<unknown>;
    output: { done: Readonly<Record<string, number>>; failed: Readonly<Record<string, string>> };
  },
  actors: { convert: durable<number, { file: string }>() },
  actions: {
    startNext: enqueueActions(({ context: { waiting }, enqueue }) => {
      const [file, ...rest] = waiting;
      if (file === undefined) return;
      // The id of the actor says which file an outcome belongs to.
      enqueue.spawnChild('convert', { id: file, input: { file } });
      enqueue.assign(({ context }) => ({ waiting: rest, running: context.running + 1 }));
    }),
  },
}).createMachine({
  id: 'batch',
  context: ({ input }) => ({ waiting: input.files, running: 0, done: {}, failed: {} }),
  entry: enqueueActions(({ event, enqueue }) => {
    const { atOnce } = (event as unknown as { input: Batch }).input;
    for (let place = 0; place < atOnce; place += 1) enqueue('startNext');
  }),
  initial: 'converting',
  states: {
    converting: {
      always: { guard: ({ context }) => context.running === 0, target: 'ended' },
      on: {
        'xstate.done.actor.*': {
          actions: [
            assign(({ context, event }) => ({
              running: context.running - 1,
              done: { ...context.done, [event.actorId]: event.output },
            })),
            'startNext',
          ],
        },
        'xstate.error.actor.*': {
          actions: [
            assign(({ context, event }) => ({
              running: context.running - 1,
              failed: { ...context.failed, [event.actorId]: String(event.error) },
            })),
            'startNext',
          ],
        },
        stop: { actions: assign({ waiting: [] }) },
      },
    },
    ended: { type: 'final' },
  },
  output: ({ context: { done, failed } }) => ({ done, failed }),
});
