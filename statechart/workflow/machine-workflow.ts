import {
  CancellationScope,
  defineQuery,
  defineSignal,
  defineUpdate,
  inWorkflowContext,
  makeContinueAsNewFunc,
  setHandler,
  type Workflow,
} from '@temporalio/workflow';
import type { AnyStateMachine, ContextFrom, EventFrom, InputFrom, OutputFrom } from 'xstate';
import type { ActorSpecs } from '../core/actor-spec.ts';
import { EventDoor } from '../core/event-door.ts';
import { type EventSchemas, jsonSchemas, machineSchemas } from '../core/event-schemas.ts';
import { describeMachine, type MachineDescription } from '../core/machine-description.ts';
import type { MachineActorSpecs, StatePath } from '../core/machine-types.ts';
import {
  MESSAGES,
  type ChangesView,
  type MachineSnapshotView,
  type MachineState,
  type WaitCondition,
  type WaitOutcome,
} from '../core/messages.ts';
import type { Migration } from '../core/migration.ts';
import { prepareMachine } from '../core/prepare-machine.ts';
import { withDefinition } from '../core/workflow-definition.ts';
import { actorSignal } from './actor-message.ts';
import { BareScope } from './bare-scope.ts';
import { knownMachine, Lineage, type KnownMachine } from './lineage.ts';
import type { ContinueAsNewPolicy } from './continue-as-new-policy.ts';
import { MachineRun } from './machine-run.ts';
import type { MachineStart } from './machine-start.ts';
import { WaitingUpdates } from './waiting-updates.ts';
import { requireOneCopy } from './one-copy.ts';

/** Functions that make an event of a machine of the arguments of a message, by the message's name. */
export type EventMakers<TMachine extends AnyStateMachine> = Readonly<
  Record<string, (...args: never[]) => EventFrom<TMachine>>
>;

export interface MachineWorkflowOptions<
  TMachine extends AnyStateMachine = AnyStateMachine,
  TSignals = EventMakers<TMachine>,
  TUpdates = EventMakers<TMachine>,
> {
  /**
   * How each source of the machine runs, by its name in `setup({ actors })`; `*` stands for all others. Machines and transition
   * functions that are not named run in the workflow; sources of a machine within it are named by `inProcess({ ... })`.
   */
  readonly actors?: MachineActorSpecs<TMachine>;
  readonly continueAsNew?: ContinueAsNewPolicy;
  /** Schemas by event type, of the Standard Schema interface. Default: those of the machine, `setup({ schemas: { events } })`. */
  readonly events?: EventSchemas;
  /** Earlier machines, whose runs stay with them. New runs take the machine itself. */
  readonly versions?: readonly AnyStateMachine[];
  /** How runs of earlier machines become runs of this one. Runs in mid-course need their machine among `versions` for that. */
  readonly migrate?: Migration<ContextFrom<TMachine>, StatePath<TMachine>>;
  /** The machine of runs that began before machines were recorded. Default: there are none such. */
  readonly unidentified?: AnyStateMachine;
  /** Signals of other names, as events of the machine. */
  readonly signals?: TSignals;
  /** Updates of other names, as events of the machine; they answer as `send` does. */
  readonly updates?: TUpdates;
  /** The most microsteps that one event may lead to before the machine fails. Default 10,000. */
  readonly maxMicrosteps?: number;
}

const sendSignal = defineSignal<[unknown]>(MESSAGES.send);
const sendUpdate = defineUpdate<MachineState, [unknown]>(MESSAGES.send);
const waitForUpdate = defineUpdate<WaitOutcome, [WaitCondition]>(MESSAGES.waitFor);
const snapshotQuery = defineQuery<MachineSnapshotView>(MESSAGES.snapshot);
const machineQuery = defineQuery<MachineDescription>(MESSAGES.machine);
const changesQuery = defineQuery<ChangesView, [number?]>(MESSAGES.changes);

/**
 * Makes an XState v5 machine a durable Temporal workflow.
 *
 * - An invoked or spawned source runs as `actors` says; a stopped one is cancelled and its late result dropped.
 * - `after` and delayed `raise`/`sendTo` are durable timers.
 * - Signal `send` takes an event; update `send` takes one too, refuses it when `snapshot.can(event)` is false, and answers
 *   with the new state. Queries: `snapshot`, `machine`, `changes`.
 * - A workflow with a long history continues as new, with pending delays and running actors carried over.
 * - The machine's output is the workflow's result. A machine that fails ends the workflow with a non-retryable
 *   ApplicationFailure of type `MachineError`. A cancelled workflow gets the event `workflow.cancel` where the machine takes
 *   it, else it ends as cancelled.
 * - A run stays with the machine that it was started with. When the worker does not know that one, the run waits and says so.
 *
 * @throws SourceError when the module is loaded outside of a worker, or a run begins, for a source that cannot be durable as it is written.
 *
 * @example
 * export const order = machineWorkflow(orderMachine, { actors: { charge: activity('charge', { startToCloseTimeout: '1m' }) } });
 */
export function machineWorkflow<
  TMachine extends AnyStateMachine,
  // They keep the types of events as they are written, instead of any text.
  const TSignals extends EventMakers<TMachine> = EventMakers<TMachine>,
  const TUpdates extends EventMakers<TMachine> = EventMakers<TMachine>,
>(
  machine: TMachine,
  options: MachineWorkflowOptions<TMachine, TSignals, TUpdates> = {},
): (start: MachineStart<InputFrom<TMachine>>) => Promise<OutputFrom<TMachine>> {
  const { versions = [], unidentified, migrate } = options;
  const signals: EventMakers<TMachine> = options.signals ?? {};
  const updates: EventMakers<TMachine> = options.updates ?? {};
  const actors = (options.actors ?? {}) as ActorSpecs;
  const prepare = (one: AnyStateMachine): KnownMachine => knownMachine(one, prepareMachine(one, actors));
  const prepareAll = () => {
    const known: [KnownMachine, ...KnownMachine[]] = [prepare(machine), ...versions.map(prepare)];
    const earliest =
      unidentified && (known.find((one) => one.machine === unidentified) ?? prepare(unidentified));
    return { known, unidentified: earliest };
  };
  // A worker loads the module anew for each run, of whichever machine in it.
  if (!inWorkflowContext()) prepareAll();
  const workflow = async (start: MachineStart<InputFrom<TMachine>>): Promise<OutputFrom<TMachine>> => {
    requireOneCopy();
    const machines = prepareAll();
    const lineage = new Lineage({ ...machines, migration: migrate, carried: start.carried });
    const home = new BareScope({ cancellable: false });
    const run = new MachineRun({
      lineage,
      policy: options.continueAsNew ?? {},
      door: new EventDoor(machine, options.events),
      start,
      maxMicrosteps: options.maxMicrosteps,
      home,
    });
    const waiting = new WaitingUpdates(run);
    setHandler(sendSignal, (event) => run.post(event));
    setHandler(sendUpdate, (event) => run.ask(event), { validator: (event) => run.requireAccepted(event) });
    for (const [name, eventOf] of Object.entries(signals)) {
      setHandler(defineSignal<unknown[]>(name), (...args) =>
        run.postAs(() => eventOf(...(args as never[])), name),
      );
    }
    for (const [name, eventOf] of Object.entries(updates)) {
      setHandler(
        defineUpdate<MachineState, unknown[]>(name),
        (...args) => run.ask(eventOf(...(args as never[]))),
        { validator: (...args: unknown[]) => run.requireAccepted(eventOf(...(args as never[]))) },
      );
    }
    setHandler(
      waitForUpdate,
      // A machine that takes `workflow.cancel` goes on, and so do those who wait.
      (wanted) => CancellationScope.nonCancellable(() => waiting.waitFor(wanted)),
      {
        validator: (_wanted: WaitCondition) => waiting.requireRoom(),
      },
    );
    setHandler(actorSignal, (message) => run.hear(message));
    setHandler(snapshotQuery, () => run.view());
    setHandler(changesQuery, (cursor = 0) => run.changes(cursor));
    setHandler(machineQuery, () => {
      const { known, interpreter } = run.machineNow;
      const schemas = jsonSchemas(options.events ?? machineSchemas(known.machine));
      return describeMachine(known.machine, interpreter?.snapshot ?? null, schemas);
    });
    CancellationScope.current().cancelRequested.catch(() => run.cancel());
    const end = await (lineage.isIdentified
      ? home.run(() => run.run())
      : CancellationScope.nonCancellable(() => run.run()));
    if (end.type === 'done') return end.output as OutputFrom<TMachine>;
    const next = { ...start, carried: end.carried };
    return (await makeContinueAsNewFunc<Workflow>()(next)) as OutputFrom<TMachine>;
  };
  return withDefinition(workflow, { ...options, machine });
}
