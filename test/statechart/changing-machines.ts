import { assign, setup } from 'xstate';
import {
  activity,
  durable,
  machineWorkflow,
  type MachineWorkflowOptions,
} from '../../statechart/workflow/index.ts';

/** A test replaces this in the bundle, so that one bundle serves as many releases of a worker. */
const RELEASE: string = 'RELEASE_OF_THE_WORKER';

type OrderEvent = { type: 'PACK' } | { type: 'SHIP' } | { type: 'NOTE'; text: string };

const orderSetup = setup({
  types: {} as { context: { notes: string[] }; events: OrderEvent; output: string },
  actors: { label: durable<string, { n: number }>() },
  actions: {
    note: assign(({ context, event }) => ({
      notes: [...context.notes, event.type === 'NOTE' ? event.text : event.type],
    })),
  },
});

const invoked = (target: string) =>
  ({
    src: 'label',
    input: ({ context }: { context: { notes: string[] } }) => ({ n: context.notes.length }),
    onDone: target,
    onError: target,
  }) as const;

/** open -> packing (an activity) -> packed -> shipped */
const first = orderSetup.createMachine({
  id: 'order',
  version: '1',
  context: { notes: [] },
  initial: 'open',
  on: { NOTE: { actions: 'note' } },
  states: {
    open: { on: { PACK: 'packing' } },
    packing: { invoke: invoked('packed') },
    packed: { on: { SHIP: 'shipped' }, after: { 600_000: 'shipped' } },
    shipped: { type: 'final' },
  },
  output: ({ context }) => `first: ${context.notes.join(' ')}`,
});

/** `packed` is `boxed`, and a state lies between it and the end. */
const second = orderSetup.createMachine({
  id: 'order',
  version: '2',
  context: { notes: [] },
  initial: 'open',
  on: { NOTE: { actions: 'note' } },
  states: {
    open: { on: { PACK: 'packing' } },
    packing: { invoke: invoked('boxed') },
    boxed: { on: { SHIP: 'sealed' }, after: { 600_000: 'sealed' } },
    sealed: { always: 'shipped' },
    shipped: { type: 'final' },
  },
  output: ({ context }) => `second: ${context.notes.join(' ')}`,
});

const actors = { label: activity('label', { startToCloseTimeout: '1 minute' }) };
const migrate = {
  states: { packed: 'boxed' },
  context: (context: unknown) => ({ notes: [...(context as { notes: string[] }).notes, 'migrated'] }),
};
const continueAsNew = { after: 12 };

const releases: Readonly<Record<string, { machine: typeof first | typeof second } & MachineWorkflowOptions>> =
  {
    first: { machine: first, actors },
    'first, short runs': { machine: first, actors, continueAsNew },
    second: { machine: second, actors },
    'second with versions': { machine: second, actors, versions: [first] },
    'second with versions and migrate': { machine: second, actors, versions: [first], migrate },
    'second with migrate': { machine: second, actors, migrate },
    'second with a bad migrate': { machine: second, actors, migrate: { states: { packed: 'nowhere' } } },
  };

const release = releases[RELEASE];
if (release === undefined) throw new Error(`there is no release '${RELEASE}'`);
const { machine, ...options } = release;

// The type of the options belongs to one machine, and a release has one of two.
export const order = machineWorkflow(machine, options as object);
