import type { SessionActivities } from '@steadyhand/contracts';
import {
  append,
  deniedResult,
  interruptedResult,
  is,
  type NewEvent,
  readLog,
  refusalText,
  toolResult,
} from '@steadyhand/sessions';
import type { Store } from '@steadyhand/store';
import type { ActivityDeps } from './deps.ts';
import { appendNetworkEvents } from './network-events.ts';
import { stepKey } from './step-key.ts';
import { recordedOutcome } from './tool-outcome.ts';

/** Appends the result of a tool use: its recorded outcome, or why it has none. */
export function appendResult(deps: ActivityDeps): SessionActivities['appendResult'] {
  const { store } = deps;
  return async (input, invocation) => {
    const { session, epoch, call: toolUse } = input;
    const outcome = await recordedOutcome(store, session, toolUse);
    const result = outcome ? toolResult(toolUse, outcome) : await refusal(store, session, toolUse);
    await append(store, { session, epoch, key: stepKey(input, invocation), events: [result] });
    await appendNetworkEvents(deps, session);
  };
}

/** The result of a tool use that was not performed: denied by a rule or by a person, else interrupted. */
async function refusal(store: Store, session: string, toolUse: string): Promise<NewEvent> {
  const [use] = await readLog(store, session, { ids: [toolUse] });
  if (use?.type === 'agent.tool_use' && use.body.evaluated_permission === 'deny') {
    const { name, policy_decision: decided } = use.body;
    const content = decided === undefined ? `Tool ${name} is invalid` : refusalText(decided);
    return toolResult(toolUse, { content, is_error: true });
  }
  const answers = await readLog(store, session, { refs: [toolUse], types: ['user.tool_confirmation'] });
  const denial = answers.filter(is('user.tool_confirmation')).find(({ body }) => body.result === 'deny');
  return denial === undefined
    ? interruptedResult(toolUse)
    : deniedResult(toolUse, denial.body.deny_message ?? null);
}
