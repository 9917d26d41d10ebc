import { InvalidRequestError } from '@steadyhand/contracts';
import {
  definitionOf,
  diffRuns,
  type Explanation,
  HistoryError,
  identityOf,
  type MachineSource,
  toDefinition,
  toEventSchemas,
  type WorkflowDefinition,
} from '@steadyhand/statechart/client';
import type { WorkflowComparison } from '../shapes/comparison.ts';
import type { WorkflowExplanation } from '../shapes/explanation.ts';
import type { ExplainRequest, Run } from '../shapes/service.ts';
import { answerOf } from '../acting/ask-worker.ts';
import type { Messages } from '../acting/messages.ts';
import type { PayloadReader } from '../payloads/decode-payloads.ts';
import { type Fields, fieldsOf, isFields, maybeText, textOf } from '../wire/fields.ts';
import { decodePlace, encodePlace } from '../wire/page-token.ts';
import type { TemporalCalls } from '../wire/service.ts';
import { type ExplainedRun, NotExplained } from './explained-run.ts';
import { ExplainedRuns } from './explained-runs.ts';
import type { Machines } from './machines.ts';
import { plainJson } from './plain-json.ts';
import { takeTurns } from './turns.ts';

type Asked = Run & { readonly workflowType: string; readonly historyLength: number };

/** Tells what histories of durable actors mean, by their state machines. */
export class Explanations {
  readonly #runs: ExplainedRuns;
  readonly #messages: Messages;
  readonly #machines: Machines;

  constructor(calls: TemporalCalls, reader: PayloadReader, messages: Messages, machines: Machines) {
    this.#runs = new ExplainedRuns(calls, reader);
    this.#messages = messages;
    this.#machines = machines;
  }

  async explain(run: Asked, request: ExplainRequest): Promise<WorkflowExplanation> {
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
      return pageOf(run, await this.#runs.of(run, source), definitionGiven(source), request);
    } catch (error) {
      if (error instanceof HistoryError || error instanceof NotExplained) {
        return await this.#asked(run, error.message);
      }
      throw error;
    }
  }

  async compare(left: Asked, right: Asked, ignore: readonly string[]): Promise<WorkflowComparison> {
    const a = await this.#known('left', left);
    const b = await this.#known('right', right);
    const diff = await diffRuns(a.run.explanation, b.run.explanation, a.source, {
      ignore,
      pause: takeTurns(),
    });
    const side = (run: Run, { steps }: ExplainedRun): WorkflowComparison['left'] => ({
      workflow_id: run.workflowId,
      run_id: run.runId,
      step_count: steps.length,
    });
    return {
      type: 'workflow_comparison',
      left: side(left, a.run),
      right: side(right, b.run),
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

  async #known(
    field: string,
    run: Asked,
  ): Promise<{ readonly run: ExplainedRun; readonly source: MachineSource }> {
    const source = await this.#machines.of(run.workflowType);
    const expected = 'Expected a run of a state machine that is known here';
    if (source === undefined)
      throw new InvalidRequestError(`${field}: ${expected}, not of the workflow type ${run.workflowType}`);
    try {
      return { run: await this.#runs.of(run, source), source };
    } catch (error) {
      if (error instanceof HistoryError || error instanceof NotExplained)
        throw new InvalidRequestError(`${field}: ${expected}: ${error.message}`);
      throw error;
    }
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
}

function pageOf(
  run: Run,
  explained: ExplainedRun,
  known: WorkflowDefinition,
  { limit, page, fromStep, afterEvent, definition }: ExplainRequest,
): WorkflowExplanation {
  const { explanation, steps, lastEventId } = explained;
  const found: Fields[] = [];
  let next = page === null ? fromStep - 1 : Number(decodePlace(page, ['step']).step);
  for (; next < steps.length && found.length < limit; next += 1) {
    const step = steps[next];
    if (step !== undefined && explained.isNews(next, afterEvent)) found.push(step);
  }
  const isMore = steps.slice(next).some((_, index) => explained.isNews(next + index, afterEvent));
  return {
    type: 'workflow_explanation',
    workflow_id: run.workflowId,
    run_id: run.runId,
    known: true,
    reason: null,
    machine: explanation.machine === null ? null : { ...explanation.machine },
    ...(definition
      ? { definition: definitionIn(known, explanation), event_schemas: toEventSchemas(known) }
      : { definition: null, event_schemas: {} }),
    explanation:
      explanation.held !== undefined && steps.length === 0 ? null : overview(explanation, lastEventId),
    steps: found,
    next_page: isMore ? encodePlace({ step: next }) : null,
    queries: null,
  };
}

function definitionIn(known: WorkflowDefinition, explanation: Explanation): Fields {
  const machine = machineOf(known, explanation);
  const state = explanation.steps.at(-1)?.snapshot.value;
  return state === undefined ? toDefinition(machine) : toDefinition(machine, state);
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
