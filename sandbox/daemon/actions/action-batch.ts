import { type ActionOutcome, type ActionRequest, NOT_EXECUTED } from '@steadyhand/contracts';

/**
 * Performs actions one after another, each under its own key, until `isWanted` says no, and returns the outcomes so
 * far. After a failed action of a computer toolset the toolset's later actions are not performed, and nothing is
 * recorded under their keys.
 */
export async function performInOrder(
  actions: readonly ActionRequest[],
  perform: (action: ActionRequest) => Promise<ActionOutcome>,
  isWanted: () => boolean,
): Promise<readonly ActionOutcome[]> {
  const outcomes: ActionOutcome[] = [];
  let failed = false;
  for (const action of actions) {
    if (!isWanted()) break;
    const isMember = action.tool.type.startsWith('computer_toolset_');
    if (failed && isMember) {
      outcomes.push({ status: 'done', is_error: true, content: NOT_EXECUTED });
      continue;
    }
    const outcome = await perform(action);
    outcomes.push(outcome);
    if (isMember) failed = outcome.status !== 'done' || outcome.is_error;
  }
  return outcomes;
}
