import {
  allHandlersFinished,
  condition,
  defineSignal,
  defineUpdate,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import { assign, fromPromise, setup } from 'xstate';
import { activity, machineWorkflow } from '../../statechart/workflow/index.ts';
import { counterMachine, ringMachine } from './machines.ts';

const options = { startToCloseTimeout: '1 minute' } as const;
const { noop } = proxyActivities<{ noop(i: number): Promise<number> }>(options);

/** The loop that a machine is held against. */
export async function handLoop({ input: { steps } }: { input: { steps: number } }): Promise<number> {
  let n = 0;
  for (let i = 0; i < steps; i += 1) n += (await noop(i)) === i ? 1 : 0;
  return n;
}

const loop = setup({
  types: {} as { input: { steps: number }; context: { steps: number; i: number; n: number }; output: number },
  actors: { noop: fromPromise<number, number>(() => Promise.reject(new Error('an activity'))) },
}).createMachine({
  id: 'loop',
  context: ({ input }) => ({ steps: input.steps, i: 0, n: 0 }),
  initial: 'working',
  states: {
    working: {
      invoke: {
        src: 'noop',
        input: ({ context }) => context.i,
        onDone: {
          target: 'deciding',
          actions: assign(({ context, event }) => ({
            i: context.i + 1,
            n: context.n + (event.output === context.i ? 1 : 0),
          })),
        },
      },
    },
    deciding: {
      always: [{ guard: ({ context }) => context.i < context.steps, target: 'working' }, { target: 'done' }],
    },
    done: { type: 'final' },
  },
  output: ({ context }) => context.n,
});
export const machineLoop = machineWorkflow(loop, { actors: { noop: activity('noop', options) } });

interface Event {
  readonly type: string;
  readonly by?: number;
}

interface State {
  readonly value: string;
  readonly status: 'active' | 'done';
}

/** The counter that a machine's update is held against: it validates, changes its state and answers with it. */
export async function handCounter(): Promise<number> {
  let n = 0;
  let isOpen = true;
  const state = (): State => ({ value: 'on', status: isOpen ? 'active' : 'done' });
  const take = ({ type, by = 1 }: Event): State => {
    if (type === 'close') isOpen = false;
    else n += by;
    return state();
  };
  setHandler(defineUpdate<State, [Event]>('send'), take, {
    validator: ({ type }) => {
      if (type !== 'add' && type !== 'close') throw new Error(`'${type}' is not accepted`);
    },
  });
  setHandler(defineSignal<[Event]>('send'), (event) => void take(event));
  await condition(() => !isOpen);
  await condition(allHandlersFinished);
  return n;
}

export const machineCounter = machineWorkflow(counterMachine);
export const ring10 = machineWorkflow(ringMachine(10));
export const ring300 = machineWorkflow(ringMachine(300));
