import { add, assign, inc, keep, machine } from '../dialect.ts';
import { wait, type Row } from '../row.ts';

const e = (type: string, more: object = {}): { type: string } => ({ type, ...more });

/** Each kind of value, and how a machine uses it. */
const kinds: Readonly<
  Record<string, { readonly make: () => unknown; readonly use: (value: never) => unknown }>
> = {
  Date: { make: () => new Date(86_400_000), use: (at: Date) => at.getUTCDate() },
  'an invalid Date': { make: () => new Date(Number.NaN), use: (at: Date) => Number.isNaN(at.getTime()) },
  Map: {
    make: () =>
      new Map<unknown, unknown>([
        ['a', 1],
        [2, { b: new Map([['c', 3]]) }],
      ]),
    use: (map: Map<unknown, unknown>) => map.size,
  },
  Set: { make: () => new Set(['x', 1, null]), use: (set: Set<unknown>) => set.has(null) },
  BigInt: { make: () => 12_345_678_901_234_567_890n, use: (n: bigint) => String(n + 1n) },
  'a typed array': {
    make: () => new Uint8Array([1, 2, 255]),
    use: (bytes: Uint8Array) => bytes.reduce((sum, byte) => sum + byte, 0),
  },
  Float64Array: { make: () => new Float64Array([0.1, -1]), use: (numbers: Float64Array) => numbers.length },
  URL: { make: () => new URL('https://example.com/a?b=c'), use: (url: URL) => url.searchParams.get('b') },
  Error: {
    make: () => Object.assign(new RangeError('far', { cause: new Error('near') }), { code: 7 }),
    use: (error: Error) => `${error.name} ${error.message}`,
  },
  undefined: { make: () => undefined, use: (value: undefined) => value === undefined },
  NaN: { make: () => Number.NaN, use: (n: number) => Number.isNaN(n) },
  Infinity: { make: () => Number.POSITIVE_INFINITY, use: (n: number) => n > 1e308 },
  'minus zero': { make: () => -0, use: (n: number) => Object.is(n, -0) },
  RegExp: { make: () => /a+b/iu, use: (pattern: RegExp) => pattern.test('xAAb') },
  null: { make: () => null, use: (value: null) => value === null },
  'an empty object': { make: () => ({}), use: (value: object) => Object.keys(value).length },
  'deeply nested data': {
    make: () => ({ a: [{ b: [[new Date(1)], { c: new Set([1n]) }] }] }),
    use: (value: { a: unknown[] }) => value.a.length,
  },
  'an object with $type': {
    make: () => ({ $type: 'Date', value: 'not one' }),
    use: (value: { $type: string }) => value.$type,
  },
  'text of every kind': { make: () => 'ä€😀\u0000\n"\\', use: (text: string) => text.length },
};

const inContext = ([name, { make, use }]: [string, (typeof kinds)[string]]): Row => ({
  name: `data: ${name} in the context`,
  machine: () =>
    machine({
      context: () => ({ value: make(), n: 0, got: null }),
      initial: 'a',
      states: { a: { after: { 10: 'b' } }, b: {} },
      on: {
        INC: { actions: inc },
        USE: { actions: assign({ got: ({ context }) => use(context['value'] as never) }) },
      },
    }),
  steps: [wait(10), e('INC'), e('USE')],
  ends: 'b',
});

const carriedAll = ([name, { make, use }]: [string, (typeof kinds)[string]]): Row => ({
  name: `data: ${name} in input, event and output`,
  machine: () =>
    machine({
      context: ({ input }) => ({ value: input, list: [], got: null }),
      initial: 'a',
      states: {
        a: {
          on: {
            PUT: {
              actions: [
                add(({ event }) => event['data']),
                assign({ got: ({ event }) => use(event['data'] as never) }),
              ],
            },
            END: 'z',
          },
        },
        z: { type: 'final' },
      },
      output: ({ context }: { context: object }) => ({ ...context }),
    }),
  input: make(),
  steps: [e('PUT', { data: make() }), e('END')],
  ends: 'z done',
});

export const data: readonly Row[] = [
  ...Object.entries(kinds).map(inContext),
  ...Object.entries(kinds)
    .filter(([name]) => name !== 'undefined' && name !== 'null')
    .map(carriedAll),
  {
    name: 'data: the same object twice in the context',
    machine: () =>
      machine({
        context: () => {
          const one = { a: 1 };
          return { list: [one, one], n: 0 };
        },
        on: { INC: { actions: inc } },
      }),
    steps: [e('INC'), e('INC')],
    ends: '',
  },
  {
    name: 'data: a promise’s input and output',
    machine: () =>
      machine({
        context: { got: null },
        initial: 'p',
        states: {
          p: {
            invoke: {
              src: 'load',
              input: { at: '2026-01-01', n: [1, 2] },
              onDone: { target: 'q', actions: keep('output') },
            },
          },
          q: { on: { USE: { target: 'r', guard: ({ context }) => (context.got as Date).getTime() === 5 } } },
          r: {},
        },
      }),
    sources: { load: () => new Date(5) },
    steps: [e('USE')],
    ends: 'r',
  },
];
