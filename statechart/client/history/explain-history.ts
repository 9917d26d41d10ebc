import type { AnyStateMachine, StateNode } from 'xstate';
import { childMachine, type ActorSpecs } from '../../core/actor-spec.ts';
import { definitionOf, type WorkflowDefinition } from '../../core/workflow-definition.ts';
import type { MachineStart } from '../../workflow/machine-start.ts';
import { CommandIndex } from './command-index.ts';
import type { Explanation, RunStatus } from './explanation.ts';
import { eventsOf, fieldsOf, HistoryError, isFields, textOf, type HistoryEvent } from './history-event.ts';
import { HistoryLineage } from './history-lineage.ts';
import { DivergenceError } from './divergence-error.ts';
import { HistoryRun } from './history-run.ts';
import { decoded, errorOf, valuesOf, type PayloadDecoder } from './payloads.ts';
import { splitHistory, type SplitHistory } from './workflow-tasks.ts';

/** What a history is read by: a workflow that `machineWorkflow` has made, its definition, or the machine alone. */
export type MachineSource = AnyStateMachine | WorkflowDefinition | ((...args: never[]) => Promise<unknown>);

export interface ExplainOptions {
  /** The workflow's id, where the file does not say it. Needed for machines with children. */
  readonly workflowId?: string;
  /** Undoes what a client's codec has done to the payloads. */
  readonly codec?: PayloadDecoder;
}

/**
 * Tells what a Temporal history of a machine's workflow means: each macrostep with the event that came in, the states from and
 * to, guards, actions, the change of the context, and the effects that it started and stopped, with their event ids. The machine
 * is run once more, with the history in place of the world; nothing else is asked or done.
 *
 * @param history What `fetchHistory` answers, or a file that the CLI or the UI has written, as parsed JSON.
 * @throws HistoryError when it is no history of a machine's workflow.
 *
 * @example
 * const { steps } = await explainHistory(await handle.fetchHistory(), order);
 */
export async function explainHistory(
  history: unknown,
  source: MachineSource,
  options: ExplainOptions = {},
): Promise<Explanation> {
  const replay = await replayHistory(history, source, options, true);
  return replay.explanation;
}

/** An explanation with what it was made from. */
export interface HistoryReplay {
  readonly explanation: Explanation;
  readonly run: HistoryRun;
  readonly lineage: HistoryLineage;
  readonly workflowType: string;
}

/** @param trusts A history that does not name its machine is taken for one of the newest, unless the definition says another. */
export async function replayHistory(
  history: unknown,
  source: MachineSource,
  { workflowId: given, codec }: ExplainOptions,
  trusts: boolean,
): Promise<HistoryReplay> {
  const definition = requireDefinition(source);
  const plain = codec === undefined ? history : await decoded(history, codec);
  const events = eventsOf(plain);
  const [first] = events;
  if (first?.type !== 'WorkflowExecutionStarted')
    throw new HistoryError('history: expected WorkflowExecutionStarted as its first event');
  const split = splitHistory(events);
  const workflowId = given ?? workflowIdOf(first, events);
  const commands = new CommandIndex(workflowId, split.tasks);
  const [start] = valuesOf(first.attributes['input']) as readonly (MachineStart | undefined)[];
  if (start !== undefined && !isFields(start))
    throw new HistoryError('history: expected the argument of a machine’s workflow, an object with an input');
  const lineage = new HistoryLineage({
    definition,
    inferred: childSpecs(definition.machine, commands),
    carried: start?.carried,
    marks: commands.marks,
    trusts,
  });
  const runId = textOf(first.attributes, 'originalExecutionRunId');
  const run = new HistoryRun({ definition, lineage, commands, workflowId });
  const divergence = await perform(run, split, lineage);
  const explanation = explanationOf({ run, split, lineage, workflowId, runId, divergence });
  const workflowType = textOf(fieldsOf(first.attributes, 'workflowType'), 'name');
  return { explanation, run, lineage, workflowType };
}

/** @throws TypeError for what is neither a machine nor a workflow made of one. */
export function requireDefinition(source: MachineSource): WorkflowDefinition {
  const definition =
    typeof source === 'function' ? definitionOf(source) : 'machine' in source ? source : { machine: source };
  if (definition === undefined)
    throw new TypeError('expected a machine, or a workflow that machineWorkflow has made');
  return definition;
}

async function perform(
  run: HistoryRun,
  { tasks }: SplitHistory,
  lineage: HistoryLineage,
): Promise<DivergenceError | undefined> {
  // Without its machine a run cannot be followed.
  if (lineage.obstacle !== undefined) return undefined;
  try {
    for (const [index, task] of tasks.entries()) await run.perform(task, tasks[index + 1]);
    return undefined;
  } catch (error) {
    if (error instanceof DivergenceError) return error;
    throw error;
  }
}

interface Parts {
  readonly run: HistoryRun;
  readonly split: SplitHistory;
  readonly lineage: HistoryLineage;
  readonly workflowId: string;
  readonly runId: string;
  readonly divergence: DivergenceError | undefined;
}

function explanationOf({ run, split, lineage, workflowId, runId, divergence }: Parts): Explanation {
  const { closed, waiting, failedTasks } = split;
  const held =
    lineage.held ?? (closed === undefined || run.steps.length === 0 ? lineage.obstacle : undefined);
  const last = run.steps.at(-1);
  const isCompleted = closed?.type === 'WorkflowExecutionCompleted';
  const [output] = isCompleted ? valuesOf(closed.attributes['result']) : [];
  return {
    workflowId,
    runId,
    machine: lineage.recorded ?? (lineage.obstacle === undefined ? lineage.current.identity : null),
    steps: run.steps,
    status: held !== undefined && closed === undefined ? 'held' : statusOf(closed),
    state: last?.to ?? '',
    ...(isCompleted ? { output } : {}),
    ...(closed?.type === 'WorkflowExecutionFailed'
      ? { error: errorOf(fieldsOf(closed.attributes, 'failure')) }
      : {}),
    running: run.isOver ? [] : run.running,
    waiting: waiting.map(({ id }) => id),
    failedTasks: failedTasks.map(({ eventId, event }) => ({ eventId, reason: reasonOf(event) })),
    ...(divergence === undefined ? {} : { divergence: divergence.divergence }),
    ...(held === undefined ? {} : { held }),
  };
}

const STATUS: Readonly<Record<string, RunStatus>> = {
  WorkflowExecutionCompleted: 'completed',
  WorkflowExecutionFailed: 'failed',
  WorkflowExecutionCanceled: 'cancelled',
  WorkflowExecutionTerminated: 'terminated',
  WorkflowExecutionTimedOut: 'timed out',
  WorkflowExecutionContinuedAsNew: 'continued as new',
};

const statusOf = (closed: HistoryEvent | undefined): RunStatus =>
  (closed === undefined ? undefined : STATUS[closed.type]) ?? 'running';

function reasonOf({ type, attributes }: HistoryEvent): string {
  const message = textOf(fieldsOf(attributes, 'failure'), 'message');
  return message === '' ? type : message;
}

/** The server writes the id into the start of newer histories, and a child's id tells that of its parent. */
function workflowIdOf(first: HistoryEvent, events: readonly HistoryEvent[]): string {
  const id = textOf(first.attributes, 'workflowId');
  if (id !== '') return id;
  const child = events.find(({ type }) => type === 'StartChildWorkflowExecutionInitiated');
  return child === undefined ? '' : textOf(child.attributes, 'workflowId').split('/').slice(0, -2).join('/');
}

/** How machines run that the history shows as children, for a machine that comes without its actor specs. */
function childSpecs(machine: AnyStateMachine, commands: CommandIndex): ActorSpecs {
  const children = commands.all().filter(({ kind, step }) => kind === 'child' && step !== undefined);
  if (children.length === 0) return {};
  const sources = new Map(invokesOf(machine.root as unknown as StateNode));
  return Object.fromEntries(
    children.flatMap(({ id, name }) => {
      const src = sources.get(id.split('/').at(-2) ?? '');
      return src === undefined ? [] : [[src, childMachine(name)] as const];
    }),
  );
}

function* invokesOf(node: StateNode): Generator<readonly [string, string]> {
  for (const { id, src } of node.invoke) if (typeof src === 'string') yield [id, src];
  for (const child of Object.values(node.states)) yield* invokesOf(child as unknown as StateNode);
}
