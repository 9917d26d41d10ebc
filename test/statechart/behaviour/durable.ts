import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { ApplicationFailure, type WorkflowHandle } from '@temporalio/client';
import type { InjectedSinks } from '@temporalio/worker';
import { isDeepStrictEqual } from 'node:util';
import { encodeData } from '../../../statechart/core/data.ts';
import type { ChangesView, MachineSnapshotView } from '../../../statechart/core/messages.ts';
import type { Invocation } from '../../../statechart/workflow/index.ts';
import type { TestTemporal } from '../../support/temporal.ts';
import { GATED, type Row } from './row.ts';
import { normalised, type Look, type View } from './view.ts';
import type { TraceSinks } from './row-workflow.ts';

/** How long a row may take to show what it should; a loaded machine may be slow. */
const PATIENCE = 60_000;

export type Mode = 'cached' | 'replayed' | 'continued';

interface Gate {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** What the rows that run on a worker share. */
export class DurableRows {
  readonly #rows: readonly Row[];
  /** By workflow, then by run. */
  readonly #traces = new Map<string, Map<string, string[]>>();
  readonly #gates = new Map<string, Gate>();

  constructor(rows: readonly Row[]) {
    this.#rows = rows;
  }

  readonly sinks: InjectedSinks<TraceSinks> = {
    trace: {
      note: {
        // What a child does is part of what its parent's row does.
        // A task that is tried again, and a replay, say the same in the same places.
        fn: ({ workflowId, runId }, place, text) => {
          const runs = this.#tracesOf(workflowId.split('/')[0] ?? '');
          const run = runs.get(runId) ?? [];
          runs.set(runId, run);
          run[place] = text;
        },
        callDuringReplay: true,
      },
    },
  };

  /** The sources of all rows as activities. */
  get activities(): Record<string, (input: unknown, invocation: Invocation) => Promise<unknown>> {
    return Object.fromEntries(
      this.#rows.flatMap((row) =>
        Object.entries(row.sources ?? {}).map(([name, source]) => [
          `${row.name}|${name}`,
          async (input: unknown, { step }: Invocation) => {
            const { info, cancelled, heartbeat } = Context.current();
            const workflowId = info.workflowExecution?.workflowId.split('/')[0] ?? '';
            if (typeof source === 'function') return await played(() => source(input as never));
            const beat = setInterval(() => heartbeat(), 500);
            const gated = new Promise((resolve, reject) => {
              if (source === GATED) this.#gates.set(`${workflowId}|${name}|${step}`, { resolve, reject });
            });
            try {
              return await played(() => Promise.race([gated, cancelled]));
            } finally {
              clearInterval(beat);
            }
          },
        ]),
      ),
    );
  }

  /**
   * Plays a row as a workflow and looks at it wherever it rests, until it shows what it should or has not done so for long.
   *
   * @returns The views of those moments, by the number of the step before.
   */
  async run(
    temporal: TestTemporal,
    row: Row,
    plain: readonly Look[],
    { mode, isListed = false }: { readonly mode: Mode; readonly isListed?: boolean },
  ): Promise<Map<number, View>> {
    const workflowId = `${mode}-${randomUUID()}`;
    const handle = await temporal.client.workflow.start(`${mode}|${row.name}`, {
      taskQueue: temporal.taskQueue,
      workflowId,
      args: [{ input: encodeData(row.input, 'input') }],
    });
    const views = new Map<number, View>();
    const steps = row.steps ?? [];
    for (let at = 0; at <= steps.length; at++) {
      const step = at === 0 ? undefined : steps[at - 1];
      if (step !== undefined && 'type' in step)
        await handle.signal('send', encodeData(step, 'event')).catch(ended);
      if (step !== undefined && 'settle' in step) await this.#settle(temporal, handle, step as never);
      const { view, rests = true } = plain[at] ?? {};
      if (view === undefined) break;
      // Each look replays the whole run, too. What only takes events is the same however many of them a task takes.
      if (mode === 'replayed' && at < steps.length && takesOnlyEvents(row)) continue;
      if (!rests) {
        const next = steps[at];
        if (next !== undefined && !('wait' in next))
          throw new Error(`row '${row.name}': step ${at + 1} hangs on time`);
        continue;
      }
      views.set(at, await this.#look(temporal, handle, row, view, isListed ? 2000 : PATIENCE));
      if (!isDeepStrictEqual(views.get(at), view)) break;
    }
    return views;
  }

  async #look(
    temporal: TestTemporal,
    handle: WorkflowHandle,
    row: Row,
    wanted: View,
    patience: number,
  ): Promise<View> {
    const isApart = Object.values(row.kinds ?? {}).includes('child-machine');
    const end = Date.now() + patience;
    for (let pause = 20; ; pause = Math.min(2000, pause * 3)) {
      const shown = await ask<MachineSnapshotView>(temporal, handle, 'snapshot');
      const changes = wanted.trace.some((text) => text.startsWith('emitted '))
        ? await ask<ChangesView>(temporal, handle, 'changes')
        : undefined;
      const emitted = (changes?.changes ?? []).flatMap((change) =>
        change.type === 'emitted' ? [`emitted ${JSON.stringify(change.event)}`] : [],
      );
      const view = normalised(
        {
          value: shown.value,
          status: shown.status,
          context: shown.context,
          tags: shown.tags,
          output: shown.output ?? null,
          error: shown.error ?? null,
          trace: [...[...this.#tracesOf(handle.workflowId).values()].flat(), ...emitted],
        },
        handle.workflowId,
      );
      // Two workflows do what they do each in its own order.
      const seen =
        isApart && isDeepStrictEqual(view.trace.toSorted(), wanted.trace.toSorted())
          ? { ...view, trace: wanted.trace }
          : view;
      if (isDeepStrictEqual(seen, wanted) || Date.now() > end) return seen;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** Settles the invocation that the machine waits for, once its activity runs. */
  async #settle(
    temporal: TestTemporal,
    handle: WorkflowHandle,
    { settle, output, error }: { settle: string; output?: unknown; error?: unknown },
  ): Promise<void> {
    const { actors } = await ask<MachineSnapshotView>(temporal, handle, 'snapshot');
    // An actor of a child workflow is that workflow's first one.
    const step = actors.find(({ src }) => src === settle)?.step ?? 1;
    const key = `${handle.workflowId}|${settle}|${step}`;
    const end = Date.now() + PATIENCE;
    while (!this.#gates.has(key) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
    const gate = this.#gates.get(key);
    if (error === undefined) gate?.resolve(output);
    else gate?.reject(error);
  }

  #tracesOf(workflowId: string): Map<string, string[]> {
    const runs = this.#traces.get(workflowId) ?? new Map<string, string[]>();
    this.#traces.set(workflowId, runs);
    return runs;
  }
}

const takesOnlyEvents = ({ steps = [], sources, kinds }: Row): boolean =>
  sources === undefined && kinds === undefined && steps.every((step) => 'type' in step);

/** Asks again when no answer comes: a worker drops a query that reaches it while it evicts the run. */
async function ask<T>(temporal: TestTemporal, handle: WorkflowHandle, query: string): Promise<T> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    try {
      return await temporal.client.withDeadline(Date.now() + 15_000, () => handle.query<T>(query));
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** A workflow that has ended takes no more events, as in XState. */
const ended = (error: unknown): void => {
  if ((error as Error).name !== 'WorkflowNotFoundError') throw error;
};

/** With every property of the error that the source throws. */
async function played(source: () => unknown): Promise<unknown> {
  try {
    const output = await source();
    return encodeData(output, 'output');
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw ApplicationFailure.create({
      message: error.message,
      type: error.name,
      nonRetryable: true,
      details: [encodeData(error, 'error')],
    });
  }
}
