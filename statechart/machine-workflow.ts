import {
  ApplicationFailure,
  CancellationScope,
  makeContinueAsNewFunc,
  setHandler,
  type Workflow,
} from '@temporalio/workflow';
import type { AnyEventObject, AnyStateMachine, InputFrom, OutputFrom, StateMachine, StateNode } from 'xstate';
import type { ActorSpec } from './actor-spec.ts';
import { eventNotAccepted, MachineRun, type Carried, type ContinueAsNewPolicy } from './machine-run.ts';
import { machineQuery, sendSignal, sendUpdate, snapshotQuery } from './messages.ts';

/** The one argument of a machine's workflow. */
export interface MachineStart<TInput> {
  readonly input: TInput;
  /** The Keyword search attribute that gets the state path whenever it changes; it must be registered. Default: none. */
  readonly stateAttribute?: string;
  /** Written by continue-as-new; callers leave it out. */
  readonly carried?: Carried;
}

export interface MachineWorkflowOptions<TSource extends string> {
  /** How each named source of the machine runs. */
  readonly actors: Readonly<Record<TSource, ActorSpec>>;
  readonly continueAsNew?: ContinueAsNewPolicy;
  /** Renames the states of a snapshot that a run of an earlier version has carried over. Default: it is restored as it is. */
  readonly migrate?: (snapshot: unknown) => unknown;
}

/** Names of the sources in a machine's `setup({ actors })`. */
type SourceOf<TMachine> =
  TMachine extends StateMachine<
    infer _Context,
    infer _Event,
    infer _Children,
    infer TActor,
    infer _Action,
    infer _Guard,
    infer _Delay,
    infer _Value,
    infer _Tag,
    infer _Input,
    infer _Output,
    infer _Emitted,
    infer _Meta,
    infer _Config,
    infer _TransitionMeta
  >
    ? TActor extends { src: infer TSource extends string }
      ? TSource
      : never
    : never;

/**
 * Makes an XState v5 machine a durable Temporal workflow, which drives the machine by its pure `transition()`.
 *
 * - An invoked or spawned source runs as the activity, local activity or child workflow that `actors` names; a stopped one
 *   is cancelled and its late result dropped.
 * - `after` and delayed `raise`/`sendTo` are durable timers.
 * - Signal `send` takes an event; update `send` takes one too, refuses it when `snapshot.can(event)` is false, and answers
 *   with the new state. Queries: `snapshot`, `machine`.
 * - A workflow with a long history continues as new, with pending delays and running actors carried over.
 * - The machine's output is the workflow's result. A machine that fails ends the workflow with a non-retryable
 *   ApplicationFailure of type `MachineError`. A cancelled workflow gets the event `workflow.cancel` where the machine takes
 *   it, else it ends as cancelled.
 *
 * @example
 * export const order = machineWorkflow(orderMachine, { actors: { charge: activity('charge', { startToCloseTimeout: '1m' }) } });
 */
export function machineWorkflow<TMachine extends AnyStateMachine>(
  machine: TMachine,
  options: MachineWorkflowOptions<SourceOf<TMachine>>,
): (start: MachineStart<InputFrom<TMachine>>) => Promise<OutputFrom<TMachine>> {
  const specs: Readonly<Record<string, ActorSpec>> = options.actors;
  const { migrate = (snapshot) => snapshot } = options;
  requireSpecs(machine, specs);
  return async (start) => {
    const { carried } = start;
    const run = new MachineRun({
      machine,
      specs,
      policy: options.continueAsNew ?? {},
      input: start.input,
      stateAttribute: start.stateAttribute,
      carried: carried && { ...carried, snapshot: migrate(carried.snapshot) },
    });
    setHandler(sendSignal, (event) => run.post(event));
    setHandler(sendUpdate, (event) => run.ask(event), {
      validator: (event: unknown) => requireAccepted(run, event),
    });
    setHandler(snapshotQuery, () => run.view());
    setHandler(machineQuery, () => run.interpreter.describe());
    CancellationScope.current().cancelRequested.catch(() => run.cancel());
    const end = await CancellationScope.nonCancellable(() => run.run());
    if (end.type === 'done') return end.output as OutputFrom<TMachine>;
    const next = { ...start, carried: end.carried };
    return (await makeContinueAsNewFunc<Workflow>()(next)) as OutputFrom<TMachine>;
  };
}

function requireAccepted(run: MachineRun, event: unknown): void {
  if (!isEvent(event)) {
    throw ApplicationFailure.nonRetryable('event.type: expected a string', 'InvalidEvent');
  }
  if (event.type.startsWith('xstate.')) {
    throw ApplicationFailure.nonRetryable(`event.type: '${event.type}' is the machine's own`, 'InvalidEvent');
  }
  if (!run.interpreter.snapshot.can(event)) throw eventNotAccepted(event, run.state().state);
}

const isEvent = (value: unknown): value is AnyEventObject =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Throws when the workflow's module is loaded, so that a missing spec is not found in the middle of a run. */
function requireSpecs(machine: AnyStateMachine, specs: Readonly<Record<string, ActorSpec>>): void {
  const visit = (node: StateNode): void => {
    for (const { src, id } of node.invoke as readonly { src: string; id: string }[]) {
      if (!(src in specs)) {
        throw new Error(`machine '${machine.id}' invokes '${src}' (${id}), which no actor spec names`);
      }
    }
    for (const child of Object.values(node.states)) visit(child as StateNode);
  };
  visit(machine.root as StateNode);
}
