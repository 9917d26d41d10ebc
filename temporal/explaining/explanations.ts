import { InvalidRequestError } from '@steadyhand/contracts';
import {
  definitionOf,
  diffRuns,
  type Explanation,
  explainHistory,
  HistoryError,
  identityOf,
  type MachineSource,
  toDefinition,
  toEventSchemas,
  type WorkflowDefinition,
} from '@steadyhand/statechart/client';
import type { WorkflowComparison } from '../shapes/comparison.ts';
import type { WorkflowExplanation } from '../shapes/explanation.ts';
import type { PageRequest, Run } from '../shapes/service.ts';
import { answerOf } from '../acting/ask-worker.ts';
import type { Messages } from '../acting/messages.ts';
import { eventIdOf } from '../histories/event-json.ts';
import { allPages } from '../histories/read-history.ts';
import type { PayloadReader } from '../payloads/decode-payloads.ts';
import { type Fields, fieldsOf, isFields, maybeText, textOf } from '../wire/fields.ts';
import { decodePlace, encodePlace } from '../wire/page-token.ts';
import { protoJson } from '../wire/proto-json.ts';
import type { TemporalCalls } from '../wire/service.ts';
import type { Machines } from './machines.ts';
import { plainJson } from './plain-json.ts';

/** Events of a history that is explained, at most: the machine is run through all of them. */
const MOST_EVENTS = 50_000;
/** Explanations that are kept for the pages that follow. */
const KEPT = 8;

interface Explained {
  readonly lastEventId: number;
  readonly explanation: Explanation;
  readonly steps: readonly Fields[];
  readonly definition: WorkflowDefinition;
}

/** Why a history is not explained. */
class NotExplained extends Error {
  override readonly name = 'NotExplained';
}

type Asked = Run & { readonly workflowType: string };

/** Tells what histories of durable actors mean, by their state machines. */
export class Explanations {
  readonly #calls: TemporalCalls;
  readonly #reader: PayloadReader;
  readonly #messages: Messages;
  readonly #machines: Machines;
  readonly #kept = new Map<string, Explained>();

  constructor(calls: TemporalCalls, reader: PayloadReader, messages: Messages, machines: Machines) {
    this.#calls = calls;
    this.#reader = reader;
    this.#messages = messages;
    this.#machines = machines;
  }

  async explain(run: Asked, { limit, page }: PageRequest): Promise<WorkflowExplanation> {
    const source = await this.#machines.of(run.workflowType);
    if (source === undefined) {
      const types = await this.#machines.types();
      const known = types.length === 0 ? 'none' : types.join(', ');
      return await this.#asked(
        run,
        `No state machine is known here for the workflow type ${run.workflowType} (known: ${known}).`,
      );
    }
    try {
      return this.#page(run, await this.#explained(run, source, page), limit, page);
    } catch (error) {
      if (error instanceof HistoryError || error instanceof NotExplained) {
        return await this.#asked(run, error.message);
      }
      throw error;
    }
  }

  async compare(left: Asked, right: Asked, ignore: readonly string[]): Promise<WorkflowComparison> {
    const [a, b] = [await this.#known('left', left), await this.#known('right', right)];
    const { explanation } = a;
    const diff = await diffRuns(explanation, b.explanation, a.source, { ignore });
    const side = (run: Run, { steps }: Explained): WorkflowComparison['left'] => ({
      workflow_id: run.workflowId,
      run_id: run.runId,
      step_count: steps.length,
    });
    return {
      type: 'workflow_comparison',
      left: side(left, a),
      right: side(right, b),
      common: diff.common,
      by: diff.by,
      left_step: plainJson(diff.a) as Fields | null,
      right_step: plainJson(diff.b) as Fields | null,
      context: diff.context.map(({ path, before, after }) => ({
        path,
        before: plainJson(before),
        after: plainJson(after),
      })),
    };
  }

  async #known(field: string, run: Asked): Promise<Explained & { readonly source: MachineSource }> {
    const source = await this.#machines.of(run.workflowType);
    const expected = 'Expected a run of a state machine that is known here';
    if (source === undefined)
      throw new InvalidRequestError(`${field}: ${expected}, not of the workflow type ${run.workflowType}`);
    try {
      return { ...(await this.#explained(run, source, null)), source };
    } catch (error) {
      if (error instanceof HistoryError || error instanceof NotExplained)
        throw new InvalidRequestError(`${field}: ${expected}: ${error.message}`);
      throw error;
    }
  }

  #page(run: Run, explained: Explained, limit: number, page: string | null): WorkflowExplanation {
    const { explanation, definition, steps, lastEventId } = explained;
    const from = page === null ? 0 : Number(decodePlace(page, ['step', 'last']).step);
    const to = Math.min(from + limit, steps.length);
    const machine = machineOf(definition, explanation);
    const state = explanation.steps.at(-1)?.snapshot.value;
    return {
      type: 'workflow_explanation',
      workflow_id: run.workflowId,
      run_id: run.runId,
      known: true,
      reason: null,
      machine: explanation.machine === null ? null : { ...explanation.machine },
      definition: state === undefined ? toDefinition(machine) : toDefinition(machine, state),
      event_schemas: toEventSchemas(definition),
      explanation:
        explanation.held !== undefined && steps.length === 0 ? null : overview(explanation, lastEventId),
      steps: steps.slice(from, to),
      next_page: to < steps.length ? encodePlace({ step: to, last: lastEventId }) : null,
      queries: null,
    };
  }

  /** What the workflow itself tells of its machine. */
  async #asked(run: Run, reason: string): Promise<WorkflowExplanation> {
    const names = ['machine', 'snapshot', 'changes'] as const;
    const asked = { workflowId: run.workflowId, runId: run.runId };
    const [machine, snapshot, changes] = await Promise.all(
      names.map((name) => answerOf(this.#messages, asked, name, name === 'changes' ? [0] : [])),
    );
    const answers = { machine, snapshot, changes };
    const description = isFields(machine?.value) ? machine.value : {};
    const identity = fieldsOf(description, 'identity');
    return {
      type: 'workflow_explanation',
      workflow_id: run.workflowId,
      run_id: run.runId,
      known: false,
      reason,
      machine:
        textOf(identity, 'id') === ''
          ? null
          : {
              id: textOf(identity, 'id'),
              version: maybeText(identity, 'version'),
              hash: textOf(identity, 'hash'),
            },
      definition: definitionAnswered(description),
      event_schemas: fieldsOf(description, 'schemas') as WorkflowExplanation['event_schemas'],
      explanation: null,
      steps: [],
      next_page: null,
      queries: {
        machine: machine?.value ?? null,
        snapshot: snapshot?.value ?? null,
        changes: changes?.value ?? null,
        errors: Object.fromEntries(
          names.flatMap((name) => {
            const error = answers[name]?.error ?? null;
            return error === null ? [] : [[name, error]];
          }),
        ),
      },
    };
  }

  /** The explanation of all that the history has now; of a further page the one that its first page came from. */
  async #explained(run: Asked, source: MachineSource, page: string | null): Promise<Explained> {
    const kept = this.#kept.get(run.runId);
    if (page !== null) {
      const { last } = decodePlace(page, ['step', 'last']);
      if (kept !== undefined && kept.lastEventId === last) return kept;
    }
    const events: Fields[] = [];
    let lastEventId = 0;
    for await (const some of allPages(this.#calls, run)) {
      for (const event of some) events.push(protoJson('history.v1.HistoryEvent', event));
      lastEventId = Math.max(lastEventId, ...some.map((event) => eventIdOf(event)));
      if (events.length > MOST_EVENTS)
        throw new NotExplained(`The history has more than ${MOST_EVENTS} events.`);
    }
    if (kept !== undefined && kept.lastEventId === lastEventId) return kept;
    await this.#reader.undo(events);
    const explanation = await explainHistory({ events }, source, { workflowId: run.workflowId });
    const explained = {
      lastEventId,
      explanation,
      steps: explanation.steps.map((step) => plainJson(step) as Fields),
      definition: definitionGiven(source),
    };
    this.#kept.delete(run.runId);
    this.#kept.set(run.runId, explained);
    for (const runId of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(runId);
    }
    return explained;
  }
}

function definitionGiven(source: MachineSource): WorkflowDefinition {
  if (typeof source === 'function') {
    const definition = definitionOf(source);
    if (definition === undefined) throw new TypeError('expected a workflow that machineWorkflow has made');
    return definition;
  }
  return 'machine' in source ? source : { machine: source };
}

/** The machine that the run belongs to, which may be an earlier version. */
function machineOf(
  { machine, versions = [] }: WorkflowDefinition,
  { machine: identity }: Explanation,
): WorkflowDefinition['machine'] {
  if (identity === null) return machine;
  return [machine, ...versions].find((each) => identityOf(each).hash === identity.hash) ?? machine;
}

function overview(explanation: Explanation, lastEventId: number): WorkflowExplanation['explanation'] {
  const { status, state, output, error, running, waiting, failedTasks, divergence, held } = explanation;
  return {
    status,
    state,
    output: plainJson(output),
    error: plainJson(error),
    running: plainJson(running) as Record<string, unknown>[],
    waiting: [...waiting],
    failed_tasks: failedTasks.map(({ eventId, reason }) => ({ event_id: eventId, reason })),
    divergence: divergence === undefined ? null : { ...divergence },
    held: held === undefined ? null : { ...held },
    step_count: explanation.steps.length,
    last_event_id: lastEventId,
  };
}

/** The definition by the query `machine`, its nodes marked with the active ones that stand beside it. */
function definitionAnswered(description: Fields): Record<string, unknown> | null {
  const { definition, active } = description;
  if (!isFields(definition)) return null;
  return marked(definition, new Set(Array.isArray(active) ? active : []));
}

function marked(node: Fields, active: ReadonlySet<unknown>): Record<string, unknown> {
  const states = Object.entries(fieldsOf(node, 'states')).map(([key, child]) => [
    key,
    isFields(child) ? marked(child, active) : child,
  ]);
  return { ...node, active: active.has(node['id']), states: Object.fromEntries(states) };
}
