import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { ChangesView, MachineSnapshotView } from '../../../statechart/workflow/index.ts';
import {
  explainHistory,
  type Explanation,
  HistoryExplainer,
  type MachineSource,
} from '../../../statechart/client/index.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { connectTemporal, type TestTemporal } from '../../support/temporal.ts';
import { pacing } from '../../support/pacing.ts';
import { isThorough } from '../../support/sampled.ts';

/** An engine with a client on it, for tests that look at histories. */
export class Bench {
  readonly engine: TestEngine;
  readonly temporal: TestTemporal;

  static async start(): Promise<Bench> {
    const engine = await startTestEngine();
    return new Bench(engine, await connectTemporal(engine.connection));
  }

  constructor(engine: TestEngine, temporal: TestTemporal) {
    this.engine = engine;
    this.temporal = temporal;
  }

  async stop(): Promise<void> {
    await this.temporal.close();
    await this.engine.stop();
  }

  async begin(type: string, input: unknown = {}, more: object = {}): Promise<WorkflowHandle> {
    return await this.temporal.client.workflow.start(type, {
      taskQueue: this.temporal.taskQueue,
      workflowId: `${type}-${randomUUID()}`,
      args: [{ input, ...more }],
    });
  }

  /** All runs of a workflow, the first one first. */
  async runsOf({ workflowId }: WorkflowHandle): Promise<readonly WorkflowHandle[]> {
    const runs: { readonly at: number; readonly handle: WorkflowHandle }[] = [];
    const query = `WorkflowId = '${workflowId}'`;
    for await (const info of this.temporal.client.workflow.list({ query })) {
      if (info.workflowId !== workflowId) continue;
      const handle = this.temporal.client.workflow.getHandle(workflowId, info.runId);
      runs.push({ at: info.startTime.getTime(), handle });
    }
    return runs.sort((a, b) => a.at - b.at).map(({ handle }) => handle);
  }
}

export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 45_000;
  const pause = pacing();
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited in vain for: ${what}`);
    await pause();
  }
}

/** The number of events of a type in a run's history. */
export async function countOf(handle: WorkflowHandle, attributes: string): Promise<number> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).filter((event) => (event as Record<string, unknown>)[attributes] != null).length;
}

/** An explanation, held against what the run itself answers: its states and emitted events in order, and its snapshot. */
export async function explained(handle: WorkflowHandle, source: MachineSource): Promise<Explanation> {
  const history = await handle.fetchHistory();
  const { workflowId } = handle;
  const explanation = await explainHistory(history, source, { workflowId });
  expect(explanation.divergence).toBeUndefined();
  // The same comes of a history that is explained as it grows, wherever it is cut.
  const grown = await explainedAsItGrows(piecesOf(history.events ?? []), source, workflowId);
  expect(withoutStacks(grown.explanation)).toEqual(withoutStacks(explanation));
  const view = await handle.query<MachineSnapshotView>('snapshot');
  const last = explanation.steps.at(-1);
  expect({ state: explanation.state, context: last?.snapshot.context, tags: last?.snapshot.tags }).toEqual({
    state: view.state,
    context: view.context,
    tags: view.tags,
  });
  const { changes } = await handle.query<ChangesView>('changes');
  const states = explanation.steps.flatMap(({ to, snapshot, emitted }) => [
    `${snapshot.status} ${to}`,
    ...emitted.map((event) => JSON.stringify(event)),
  ]);
  const real = changes.map((change) =>
    change.type === 'state' ? `${change.status} ${change.state}` : JSON.stringify(change.event),
  );
  // The run carries its newest changes over, and notes only states that are other ones.
  const own = distinct(states);
  expect(own).toEqual(distinct(real.slice(-own.length)));
  return explanation;
}

/** The events one by one; in a usual run in pieces of several sizes, as an explanation begins anew at some of them. */
function piecesOf<T>(events: readonly T[]): readonly (readonly T[])[] {
  if (isThorough) return events.map((event) => [event]);
  const pieces: T[][] = [];
  for (let at = 0, size = 1; at < events.length; at += size, size = (size % 4) + 1)
    pieces.push(events.slice(at, at + size));
  return pieces;
}

/** An explanation to which events were added in pieces, and how often it had to be begun anew. */
export async function explainedAsItGrows(
  pieces: readonly (readonly unknown[])[],
  source: MachineSource,
  workflowId: string,
): Promise<{ readonly explanation: Explanation; readonly again: number }> {
  let explainer = new HistoryExplainer(source, { workflowId });
  let again = 0;
  for (const [index, piece] of pieces.entries()) {
    await explainer.add(piece);
    if (!explainer.isStale) continue;
    again += 1;
    explainer = new HistoryExplainer(source, { workflowId });
    await explainer.add(pieces.slice(0, index + 1).flat());
  }
  return { explanation: explainer.explanation, again };
}

/** Errors say where in this process they were made. */
const withoutStacks = (explanation: Explanation): unknown =>
  JSON.parse(JSON.stringify(explanation), (key, value: unknown) => (key === 'stack' ? '' : value));

const distinct = (lines: readonly string[]): readonly string[] =>
  lines.filter((line, index) => line !== lines[index - 1]);
