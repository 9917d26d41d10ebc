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
import type { ActivityDeps } from './deps.ts';
import { appendNetworkEvents } from './network-events.ts';
import { toFailure } from './failures.ts';
import { stepKey } from './step-key.ts';
import { recordedOutcome } from './tool-outcome.ts';

/** Appends the result of a tool use: its recorded outcome, else why it has none. */
export function appendResult(deps: ActivityDeps): SessionActivities['appendResult'] {
  const { store } = deps;
  return async (input, invocation) => {
    const { session, epoch, call } = input;
    try {
      const outcome = await recordedOutcome(store, session, call);
      const result = outcome ? toolResult(call, outcome) : await refusal(call);
      await append(store, { session, epoch, key: stepKey(input, invocation), events: [result] });
      await appendNetworkEvents(deps, session);
    } catch (error) {
      throw toFailure(error);
    }

    async function refusal(id: string): Promise<NewEvent> {
      const [use] = await readLog(store, session, { ids: [id] });
      if (use?.type === 'agent.tool_use' && use.body.evaluated_permission === 'deny') {
        const { name, policy_decision: decided } = use.body;
        const content = decided === undefined ? `Tool ${name} is invalid` : refusalText(decided);
        return toolResult(id, { content, is_error: true });
      }
      const answers = await readLog(store, session, { refs: [id], types: ['user.tool_confirmation'] });
      const denial = answers.filter(is('user.tool_confirmation')).find(({ body }) => body.result === 'deny');
      return denial === undefined
        ? interruptedResult(id)
        : deniedResult(id, denial.body.deny_message ?? null);
    }
  };
}
