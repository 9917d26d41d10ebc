import { fromCallback, fromEventObservable, fromObservable, fromTransition } from 'xstate';
import {
  add,
  assign,
  inc,
  keep,
  machine,
  sendTo,
  spawnChild,
  stopChild,
  type Ref,
  type Sent,
  type State,
} from '../dialect.ts';
import { wait, type Row } from '../row.ts';

const e = (type: string, more: object = {}): { type: string } => ({ type, ...more });

interface Observer<T> {
  next(value: T): void;
  error(error: unknown): void;
  complete(): void;
}

/** An observable that tells what `produce` does. */
const observable = <T>(
  produce: (observer: Observer<T>) => void,
): { subscribe(observer: unknown): { unsubscribe(): void } } => ({
  subscribe(observer) {
    produce(observer as Observer<T>);
    return { unsubscribe: () => undefined };
  },
});

const holder = (invoke: object, more: State = {}): State => ({
  context: { n: 0, got: null, list: [] },
  initial: 'p',
  ...more,
  states: {
    p: {
      invoke: {
        id: 'x',
        onDone: { target: 'done', actions: keep('output') },
        onError: { target: 'bad', actions: keep('error') },
        ...invoke,
      } as never,
      on: { LEAVE: 'away' },
    },
    done: {},
    bad: {},
    away: {},
    ...more.states,
  },
});
const heard: State = {
  on: {
    HEARD: { actions: add(({ event }) => event.value) },
    TO: { actions: sendTo('x', ({ event }) => event['event'] as Sent) },
  },
};

const tally = fromTransition(
  (state: { n: number }, event: { type: string; value?: number }) =>
    event.type === 'PLUS' ? { n: state.n + (event.value ?? 1) } : state,
  ({ input }: { input: { start: number } | undefined }) => ({ n: input?.start ?? 0 }),
);

export const logics: readonly Row[] = [
  {
    name: 'callback: named, it sends back at once',
    machine: () =>
      machine(holder({ src: 'cb' }, heard), {
        actors: { cb: fromCallback(({ sendBack }) => sendBack({ type: 'HEARD', value: 1 })) },
      }),
    ends: 'p',
  },
  {
    name: 'callback: inline',
    machine: () =>
      machine(
        holder(
          {
            src: fromCallback(({ sendBack }) => {
              sendBack({ type: 'HEARD', value: 1 });
              sendBack({ type: 'HEARD', value: 2 });
            }),
          },
          heard,
        ),
      ),
    ends: 'p',
  },
  {
    name: 'callback: with an input',
    machine: () =>
      machine(holder({ src: 'cb', input: { n: 6 } }, heard), {
        actors: {
          cb: fromCallback(({ sendBack, input }) =>
            sendBack({ type: 'HEARD', value: (input as unknown as { n: number }).n }),
          ),
        },
      }),
    ends: 'p',
  },
  {
    name: 'callback: it answers events',
    machine: () =>
      machine(holder({ src: 'cb' }, heard), {
        actors: {
          cb: fromCallback(({ sendBack, receive }) =>
            receive((event: Sent) => sendBack({ type: 'HEARD', value: event.type })),
          ),
        },
      }),
    steps: [e('TO', { event: e('ONE') }), e('TO', { event: e('TWO') })],
    ends: 'p',
  },
  {
    name: 'callback: its clean-up runs when the state is left',
    machine: (trace) =>
      machine(holder({ src: 'cb' }), {
        actors: {
          cb: fromCallback(() => {
            trace('begins');
            return () => trace('ends');
          }),
        },
      }),
    steps: [e('LEAVE')],
    ends: 'away',
  },
  {
    name: 'callback: it throws',
    machine: () =>
      machine(holder({ src: 'cb' }), {
        actors: {
          cb: fromCallback(() => {
            throw new Error('no callback');
          }),
        },
      }),
    ends: 'bad',
  },
  {
    name: 'callback: it takes the machine to its end',
    machine: () =>
      machine(
        { initial: 'a', states: { a: { invoke: { src: 'cb' }, on: { HEARD: 'z' } }, z: { type: 'final' } } },
        { actors: { cb: fromCallback(({ sendBack }) => sendBack({ type: 'HEARD' })) } },
      ),
    ends: 'z done',
  },
  {
    name: 'callback: spawned and stopped',
    machine: (trace) =>
      machine(
        { entry: spawnChild('cb', { id: 'x' }), on: { STOP: { actions: stopChild('x') } } },
        {
          actors: {
            cb: fromCallback(() => {
              trace('begins');
              return () => trace('ends');
            }),
          },
        },
      ),
    steps: [e('STOP')],
    ends: '',
  },
  {
    name: 'callback: it emits nothing to the machine after its end',
    machine: () => {
      let say: (() => void) | undefined;
      return machine(holder({ src: 'cb' }, { ...heard, states: { away: { entry: () => say?.() } } }), {
        actors: {
          cb: fromCallback(({ sendBack }) => {
            say = () => sendBack({ type: 'HEARD', value: 9 });
          }),
        },
      });
    },
    steps: [e('LEAVE')],
    ends: 'away',
  },
  {
    name: 'observable: onSnapshot of each value',
    machine: () =>
      machine(
        holder({
          src: 'obs',
          onSnapshot: { actions: add(({ event }) => (event['snapshot'] as { context: unknown }).context) },
        }),
        {
          actors: {
            obs: fromObservable(
              () =>
                observable<number>((o) => {
                  o.next(1);
                  o.next(2);
                }) as never,
            ),
          },
        },
      ),
    ends: 'p',
  },
  {
    name: 'observable: inline',
    machine: () =>
      machine(
        holder({
          src: fromObservable(
            () =>
              observable<number>((o) => {
                o.next(7);
              }) as never,
          ),
          onSnapshot: { actions: add(({ event }) => (event['snapshot'] as { context: unknown }).context) },
        }),
      ),
    ends: 'p',
  },
  {
    name: 'observable: it completes',
    machine: () =>
      machine(holder({ src: 'obs' }), {
        actors: {
          obs: fromObservable(
            () =>
              observable<number>((o) => {
                o.next(1);
                o.complete();
              }) as never,
          ),
        },
      }),
    ends: 'done',
  },
  {
    name: 'observable: it fails',
    machine: () =>
      machine(holder({ src: 'obs' }), {
        actors: { obs: fromObservable(() => observable<number>((o) => o.error(new Error('dry'))) as never) },
      }),
    ends: 'bad',
  },
  {
    name: 'observable: with an input',
    machine: () =>
      machine(
        holder({
          src: 'obs',
          input: [3, 4],
          onSnapshot: { actions: add(({ event }) => (event['snapshot'] as { context: unknown }).context) },
        }),
        {
          actors: {
            obs: fromObservable(
              ({ input }) =>
                observable<number>((o) => {
                  for (const n of input as unknown as number[]) o.next(n);
                }) as never,
            ),
          },
        },
      ),
    ends: 'p',
  },
  {
    name: 'observable of events: each is sent to the machine',
    machine: () =>
      machine(holder({ src: 'obs' }, heard), {
        actors: {
          obs: fromEventObservable(
            () =>
              observable<Sent>((o) => {
                o.next({ type: 'HEARD', value: 1 });
                o.next({ type: 'HEARD', value: 2 });
              }) as never,
          ),
        },
      }),
    ends: 'p',
  },
  {
    name: 'observable of events: it completes',
    machine: () =>
      machine(holder({ src: 'obs' }, heard), {
        actors: {
          obs: fromEventObservable(
            () =>
              observable<Sent>((o) => {
                o.next({ type: 'HEARD', value: 1 });
                o.complete();
              }) as never,
          ),
        },
      }),
    ends: 'done',
  },
  {
    name: 'observable of events: it fails',
    machine: () =>
      machine(holder({ src: 'obs' }), {
        actors: {
          obs: fromEventObservable(() => observable<Sent>((o) => o.error(new Error('dry'))) as never),
        },
      }),
    ends: 'bad',
  },
  {
    name: 'transition: named, it takes events',
    machine: () =>
      machine(
        holder(
          {
            src: 'tally',
            onSnapshot: {
              actions: assign({
                n: ({ event }) => (event['snapshot'] as { context: { n: number } }).context.n,
              }),
            },
          },
          heard,
        ),
        { actors: { tally } },
      ),
    steps: [
      e('TO', { event: e('PLUS') }),
      e('TO', { event: e('PLUS', { value: 5 }) }),
      e('TO', { event: e('OTHER') }),
    ],
    ends: 'p',
  },
  {
    name: 'transition: inline',
    machine: () => machine(holder({ src: tally, onSnapshot: { actions: inc } }, heard)),
    steps: [e('TO', { event: e('PLUS') })],
    ends: 'p',
  },
  {
    name: 'transition: with an input',
    machine: () =>
      machine(
        holder(
          {
            src: 'tally',
            input: { start: 30 },
            onSnapshot: {
              actions: assign({
                n: ({ event }) => (event['snapshot'] as { context: { n: number } }).context.n,
              }),
            },
          },
          heard,
        ),
        { actors: { tally } },
      ),
    steps: [e('TO', { event: e('PLUS') })],
    ends: 'p',
  },
  {
    name: 'transition: getSnapshot in an action',
    machine: (trace) =>
      machine(
        holder(
          { src: 'tally' },
          {
            on: {
              ...heard.on,
              LOOK: {
                actions: ({ self }) =>
                  trace(
                    String(
                      (self.getSnapshot() as unknown as { children: Record<string, Ref> }).children[
                        'x'
                      ]?.getSnapshot().context.n,
                    ),
                  ),
              },
            },
          },
        ),
        { actors: { tally } },
      ),
    steps: [e('TO', { event: e('PLUS', { value: 4 }) }), e('LOOK')],
    ends: 'p',
  },
  {
    name: 'transition: it throws',
    machine: () =>
      machine(holder({ src: 'bad' }, heard), {
        actors: {
          bad: fromTransition(() => {
            throw new Error('no step');
          }, {}),
        },
      }),
    steps: [e('TO', { event: e('X') })],
    ends: 'bad',
  },
  {
    name: 'transition: left',
    machine: () => machine(holder({ src: 'tally' }, heard), { actors: { tally } }),
    steps: [e('TO', { event: e('PLUS') }), e('LEAVE'), e('TO', { event: e('PLUS') })],
    ends: "error: Unable to send event to actor 'x' from machine '(machine)'.",
  },
  {
    name: 'transition: spawned, and asked by its reference',
    machine: () =>
      machine(
        {
          context: ({ spawn }) => ({ ref: spawn('tally', { id: 't', input: { start: 1 } }), n: 0 }),
          on: {
            GO: { actions: sendTo(({ context }) => context.ref, { type: 'PLUS', value: 2 }) },
            LOOK: { actions: assign({ n: ({ context }) => context.ref.getSnapshot().context.n }) },
          },
        },
        { actors: { tally } },
      ),
    steps: [e('GO'), e('LOOK'), wait(5)],
    ends: '',
  },
];
