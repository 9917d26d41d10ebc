import {
  append,
  deniedResult,
  interruptedResult,
  readToolEvents,
  refusalText,
  toolResult,
  type NewEvent,
} from '../sessions/index.ts';
import type { SessionActivities } from './contract.ts';
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
      for (const event of await readToolEvents(store, session)) {
        if (
          event.type === 'user.tool_confirmation' &&
          event.body.tool_use_id === id &&
          event.body.result === 'deny'
        ) {
          return deniedResult(id, event.body.deny_message ?? null);
        }
        if (
          event.type === 'agent.tool_use' &&
          event.id === id &&
          event.body.evaluated_permission === 'deny'
        ) {
          const { name, policy_decision: decided } = event.body;
          const content = decided === undefined ? `Tool ${name} is invalid` : refusalText(decided);
          return toolResult(id, { content, is_error: true });
        }
      }
      return interruptedResult(id);
    }
  };
}
