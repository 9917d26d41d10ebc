import type { AnyStateMachine } from 'xstate';
import { identityText } from '../../core/machine-identity.ts';
import { migrateCarried } from '../../core/migration.ts';
import { replayHistory, type ExplainOptions, type HistoryReplay } from '../history/explain-history.ts';
import { eventsOf, fieldsOf, textOf } from '../history/history-event.ts';
import { requireDefinition, type MachineSource } from '../history/machine-source.ts';
import { Visits } from './visits.ts';

/** A recorded history with the name that it is spoken of by, such as its file's. */
export interface NamedHistory {
  readonly name: string;
  readonly history: unknown;
  readonly workflowId?: string;
}

/** What becomes of a run under today's machine. */
export interface CheckedHistory {
  readonly name: string;
  readonly workflowType: string;
  readonly workflowId: string;
  readonly status: string;
  readonly state: string;
  readonly verdict: Verdict;
  /** Why; empty for a run that goes on as it is. */
  readonly reason: string;
  /** Whether it is open and would not go on. */
  readonly breaks: boolean;
}

/**
 * - `fits`: a worker with today's machine goes on with it.
 * - `migrates`: it becomes a run of today's machine.
 * - `unknown machine`: it is held, because no machine is its own.
 * - `migration refused`: it is held, because the migration does not lead to a state.
 * - `commands differ`: its workflow tasks would fail as not deterministic.
 * - `state gone`: it stands in a state that today's machine does not have, with nothing to bring it into another.
 * - `no workflow`: none of the workflows given has its type.
 */
export type Verdict =
  | 'fits'
  | 'migrates'
  | 'unknown machine'
  | 'migration refused'
  | 'commands differ'
  | 'state gone'
  | 'no workflow';

/** What the histories have seen of a machine. */
export interface Coverage {
  readonly machine: string;
  readonly states: Share;
  readonly transitions: Share;
}

export interface Share {
  readonly visited: number;
  readonly all: number;
  /** State nodes by id; transitions as `source --event--> target`. */
  readonly unvisited: readonly string[];
}

export interface CheckReport {
  readonly runs: readonly CheckedHistory[];
  readonly coverage: readonly Coverage[];
  /** The number of open runs that would not go on. */
  readonly breaking: number;
}

/**
 * Tells which recorded runs today's machine would break, and which of its states and transitions no history has visited.
 *
 * @param source One machine or workflow for all histories, or workflows by their type.
 */
export async function checkHistories(
  histories: readonly NamedHistory[],
  source: MachineSource | Readonly<Record<string, MachineSource>>,
  options: ExplainOptions = {},
): Promise<CheckReport> {
  const runs: CheckedHistory[] = [];
  const visits = new Map<AnyStateMachine, Visits>();
  for (const { name, history, workflowId } of histories) {
    const own = sourceOf(source, typeOf(history));
    if (own === undefined) {
      runs.push({
        ...NOTHING,
        name,
        workflowType: typeOf(history),
        reason: 'no workflow of this type was given',
      });
      continue;
    }
    const replay = await replayHistory(
      history,
      own,
      { ...options, ...(workflowId === undefined ? {} : { workflowId }) },
      false,
    );
    runs.push(checked(name, replay, own));
    const { machine } = replay.lineage.current;
    if (!visits.has(machine)) visits.set(machine, new Visits(machine));
    for (const step of replay.explanation.steps) visits.get(machine)?.note(step);
  }
  const machines = new Set([
    ...visits.keys(),
    ...sourcesOf(source).map((one) => requireDefinition(one).machine),
  ]);
  return {
    runs,
    coverage: [...machines].map((machine) => (visits.get(machine) ?? new Visits(machine)).coverage()),
    breaking: runs.filter(({ breaks }) => breaks).length,
  };
}

const NOTHING = {
  name: '',
  workflowType: '',
  workflowId: '',
  status: '',
  state: '',
  verdict: 'no workflow' as Verdict,
  reason: '',
  breaks: true,
};

function checked(name: string, replay: HistoryReplay, source: MachineSource): CheckedHistory {
  const { explanation, workflowType } = replay;
  const { workflowId, status, state } = explanation;
  const isOpen = status === 'running' || status === 'held';
  const [verdict, reason] = verdictOf(replay, source);
  return {
    name,
    workflowType,
    workflowId,
    status,
    state,
    verdict,
    reason,
    breaks: isOpen && verdict !== 'fits' && verdict !== 'migrates',
  };
}

function verdictOf(
  { explanation, lineage, run }: HistoryReplay,
  source: MachineSource,
): readonly [Verdict, string] {
  const { divergence } = explanation;
  if (lineage.obstacle !== undefined) {
    const { reason } = lineage.obstacle;
    if (reason.startsWith('The migration')) return ['migration refused', reason];
    const gone = lineage.goneState;
    return gone === undefined
      ? ['unknown machine', reason]
      : ['state gone', `${reason} Its state '${gone}' is not one of the newest machine.`];
  }
  if (divergence !== undefined) {
    const at = divergence.eventId === undefined ? `task ${divergence.taskId}` : `event ${divergence.eventId}`;
    return ['commands differ', `at ${at}: ${divergence.reason}`];
  }
  const { migrate } = requireDefinition(source);
  const isOther = lineage.current.machine !== lineage.newest.machine;
  const becomes = `becomes ${identityText(lineage.newest.identity)}`;
  if (lineage.hasMigratedCarried) return ['migrates', becomes];
  if (!isOther || migrate === undefined || run.isOver || run.interpreter === undefined) return ['fits', ''];
  try {
    migrateCarried(run.interpreter.carry(), lineage.newest.prepared, migrate, lineage.current.identity);
    return ['migrates', becomes];
  } catch (error) {
    return ['migration refused', error instanceof Error ? error.message : String(error)];
  }
}

function sourceOf(
  source: MachineSource | Readonly<Record<string, MachineSource>>,
  workflowType: string,
): MachineSource | undefined {
  if (isSource(source)) return source;
  return Object.hasOwn(source, workflowType) ? source[workflowType] : undefined;
}

const sourcesOf = (
  source: MachineSource | Readonly<Record<string, MachineSource>>,
): readonly MachineSource[] => (isSource(source) ? [source] : Object.values(source));

/** A workflow, its definition or a machine, and not workflows by their type. */
const isSource = (source: MachineSource | Readonly<Record<string, MachineSource>>): source is MachineSource =>
  typeof source === 'function' ||
  'implementations' in source ||
  'implementations' in (source['machine'] ?? {});

function typeOf(history: unknown): string {
  const [first] = eventsOf(history);
  return first === undefined ? '' : textOf(fieldsOf(first.attributes, 'workflowType'), 'name');
}
