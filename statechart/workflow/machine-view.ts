import type { StateValue } from 'xstate';
import type { Interpreter } from '../core/interpreter.ts';
import { legalEvents } from '../core/machine-description.ts';
import type { MachineSnapshotView, MachineState } from '../core/messages.ts';
import { statePath } from '../core/state-path.ts';
import { shownOr } from './failures.ts';

export function stateOf({ snapshot }: Interpreter): MachineState {
  // A snapshot that could not be restored has no value.
  const value = (snapshot.value ?? {}) as StateValue;
  return { value, state: statePath(value), status: snapshot.status, tags: [...snapshot.tags] };
}

/** What the query `snapshot` answers of a machine at work, beside its state. */
export function liveView(
  interpreter: Interpreter,
): Pick<MachineSnapshotView, 'context' | 'events' | 'output' | 'error' | 'actors' | 'delays'> {
  const { snapshot, failure, running, pending } = interpreter;
  return {
    context: shownOr(() => interpreter.encode(snapshot.context, 'context')),
    events: legalEvents(snapshot),
    ...(snapshot.output === undefined
      ? {}
      : { output: shownOr(() => interpreter.encode(snapshot.output, 'output')) }),
    ...(failure === undefined ? {} : { error: errorView(failure.cause) }),
    actors: running.map(({ path, source, step }) => ({ id: path.join('/'), src: source.name, step })),
    delays: pending.map(({ id, at }) => ({ id, at })),
  };
}

function errorView(cause: unknown): { name: string; message: string } {
  if (cause instanceof Error) return { name: cause.name, message: cause.message };
  return { name: 'Error', message: String(cause) };
}
