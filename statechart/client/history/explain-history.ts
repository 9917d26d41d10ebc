import type { Explanation } from './explanation.ts';
import { HistoryExplainer } from './history-explainer.ts';
import type { HistoryLineage } from './history-lineage.ts';
import type { HistoryRun } from './history-run.ts';
import type { MachineSource } from './machine-source.ts';
import { decoded, type PayloadDecoder } from './payloads.ts';

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
  { workflowId, codec }: ExplainOptions,
  trusts: boolean,
): Promise<HistoryReplay> {
  const explainer = new HistoryExplainer(source, {
    trusts,
    ...(workflowId === undefined ? {} : { workflowId }),
  });
  await explainer.add(codec === undefined ? history : await decoded(history, codec));
  const { explanation, workflowType } = explainer;
  const { run, lineage } = explainer.replayed;
  return { explanation, run, lineage, workflowType };
}
