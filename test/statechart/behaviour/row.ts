import type { AnyStateMachine } from 'xstate';
import type { Sent } from './dialect.ts';

/** Notes what a custom action did. */
export type Trace = (text: string) => void;

/** A source whose outcome the steps say. */
export const GATED = 'gated';
/** A source that never settles. */
export const NEVER = 'never';

export type Step =
  | Sent
  /** Time passes. A delay either ends within a wait, or is so long that it does not end while the row runs. */
  | { readonly wait: number }
  /** A {@link GATED} source settles. */
  | { readonly settle: string; readonly output?: unknown; readonly error?: unknown };

export const wait = (ms: number): Step => ({ wait: ms });
export const settle = (source: string, output?: unknown): Step => ({ settle: source, output });
export const fail = (source: string, error: unknown): Step => ({ settle: source, error });

/** A delay that does not end while a row runs. */
export const FAR = 600_000;

/** How a source runs durably. Default: promises in `sources` as activities, all others in the process. */
export type SourceKind = 'local-activity' | 'child-machine';

/** A machine and what happens to it. */
export interface Row {
  readonly name: string;
  readonly machine: (trace: Trace) => AnyStateMachine;
  readonly input?: unknown;
  readonly steps?: readonly Step[];
  /** The outcome of each source by its name in the machine: what it returns or throws when it is called with its input. */
  readonly sources?: Readonly<Record<string, Source>>;
  readonly kinds?: Readonly<Record<string, SourceKind>>;
  /** The state path in which the row ends, with `done`, or the error's message, where the machine has ended. */
  readonly ends: string;
}

export type Source = typeof GATED | typeof NEVER | ((input: never) => unknown);

/** A row whose child machine runs within the workflow, and the same one with the child as a workflow of its own. */
export const asBoth = (source: string, row: Row): readonly Row[] => [
  row,
  { ...row, name: `${row.name} (child workflow)`, kinds: { ...row.kinds, [source]: 'child-machine' } },
];
