import type { AnyActorRef, Snapshot, StateValue } from 'xstate';
import { isActorRef } from '../../../statechart/core/actor-tree.ts';
import { encodeData } from '../../../statechart/core/data.ts';
import { statePath } from '../../../statechart/core/state-path.ts';

/** All that one can see of a machine, as JSON without what differs by its nature, such as stacks. */
export interface View {
  readonly value: unknown;
  readonly status: string;
  readonly context: unknown;
  readonly tags: readonly string[];
  readonly output: unknown;
  readonly error: { readonly name: string; readonly message: string } | null;
  readonly trace: readonly string[];
}

/** A look at a machine, and whether it rests: no delay ends in the time that a row takes. */
export interface Look {
  readonly view: View;
  readonly rests: boolean;
}

/** The id of the machine's actor, wherever it runs. */
export const ROOT = 'row';

type Children = Readonly<Record<string, AnyActorRef | undefined>>;

const childrenOf = (snapshot: unknown): Children =>
  (snapshot as { readonly children?: Children }).children ?? {};

function pathIn(children: Children, sought: AnyActorRef): readonly string[] | undefined {
  for (const [id, child] of Object.entries(children)) {
    if (child === sought) return [id];
    const below = child === undefined ? undefined : pathIn(childrenOf(child.getSnapshot()), sought);
    if (below !== undefined) return [id, ...below];
  }
  return undefined;
}

/** The path of the machine itself, or of an actor that is gone and has perhaps been carried over as such. */
const outside = (id: string): readonly string[] =>
  id === ROOT ? [] : ['(stopped)', id.replace(`${ROOT}/(stopped)/`, '')];

/** Looks at a machine in this process. */
export function viewOf(
  snapshot: Snapshot<unknown>,
  failure: { readonly error: unknown } | undefined,
  trace: readonly string[],
): View {
  const { value, context, tags, status, output } = snapshot as Snapshot<unknown> & {
    readonly value?: unknown;
    readonly context?: unknown;
    readonly tags?: ReadonlySet<string>;
  };
  const references = {
    encode: (part: object) =>
      isActorRef(part)
        ? {
            workflowId: ROOT,
            path: pathIn(childrenOf(snapshot), part) ?? outside(part.id),
          }
        : undefined,
    decode: () => undefined,
  };
  return normalised({
    value,
    status: failure === undefined ? status : 'error',
    context: shown(() => encodeData(context, 'context', references)),
    tags: [...(tags ?? [])],
    output: output === undefined ? null : encodeData(output, 'output', references),
    error: failure === undefined ? null : errorView(failure.error),
    trace,
  });
}

/** As the query `snapshot` shows what cannot be kept. */
function shown(encode: () => unknown): unknown {
  try {
    return encode();
  } catch (error) {
    return `(${errorView(error).message})`;
  }
}

export const errorView = (error: unknown): { name: string; message: string } =>
  error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) };

/** Without stacks, under one workflow id, with tags in an order of their own. */
export function normalised(view: View, workflowId = ROOT): View {
  const text = JSON.stringify(
    { ...view, value: view.value ?? {}, tags: view.tags.toSorted() },
    (key, part: unknown) => (key === 'stack' && typeof part === 'string' ? undefined : part),
  );
  return JSON.parse(text.replaceAll(JSON.stringify(workflowId).slice(1, -1), ROOT)) as View;
}

/** Where a row ends, in one line. */
export function endOf({ value, status, error }: View): string {
  if (error !== null) return `error: ${error.message}`;
  const state = statePath(value as StateValue);
  return status === 'active' ? state : `${state} ${status}`;
}
