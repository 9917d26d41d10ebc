import { createActor, type AnyEventObject, type AnyStateMachine } from 'xstate';
import { activity } from '../../statechart/core/actor-spec.ts';
import { Interpreter } from '../../statechart/core/interpreter.ts';
import { prepareMachine } from '../../statechart/core/prepare-machine.ts';
import { alternate, compare, cpuOf, type Compared } from './measure.ts';

/** Microseconds of the processor an event: {@link Interpreter.send} and the taking of all effects. */
function interpreted(prepared: AnyStateMachine, event: AnyEventObject, events: number): number {
  const interpreter = new Interpreter({ machine: prepared, workflowId: 'bench', now: () => 0 });
  interpreter.start();
  return (
    cpuOf(() => {
      for (let i = 0; i < events; i += 1) {
        interpreter.send({ ...event });
        interpreter.takeEffects();
        interpreter.takeStarts();
        interpreter.takeOutgoing();
        interpreter.takeEmitted();
      }
    }) / events
  );
}

function plain(machine: AnyStateMachine, event: AnyEventObject, events: number): number {
  const actor = createActor(machine);
  actor.start();
  return (
    cpuOf(() => {
      for (let i = 0; i < events; i += 1) actor.send({ ...event });
    }) / events
  );
}

const prepared = (machine: AnyStateMachine): AnyStateMachine =>
  prepareMachine(machine, { '*': activity('work', { startToCloseTimeout: '1 minute' }) });

/** The interpreter beside `actor.send` of plain XState. */
export async function againstPlain(
  machine: AnyStateMachine,
  event: AnyEventObject,
  { rounds, events }: { readonly rounds: number; readonly events: number },
): Promise<Compared> {
  const ready = prepared(machine);
  const { ours, other } = await alternate(
    rounds,
    () => interpreted(ready, event, events),
    () => plain(machine, event, events),
  );
  return compare(ours, other);
}

/** The interpreter with one machine beside the interpreter with another. */
export async function againstMachine(
  machine: AnyStateMachine,
  otherMachine: AnyStateMachine,
  event: AnyEventObject,
  { rounds, events }: { readonly rounds: number; readonly events: number },
): Promise<Compared> {
  const [ready, otherReady] = [prepared(machine), prepared(otherMachine)];
  const { ours, other } = await alternate(
    rounds,
    () => interpreted(ready, event, events),
    () => interpreted(otherReady, event, events),
  );
  return compare(ours, other);
}
