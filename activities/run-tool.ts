import { toolFor } from '../messages/index.ts';
import type { ToolDefinition } from '../sandbox/protocol.ts';
import { toolDefinitions } from '../sessions/index.ts';
import { NotStored } from '../store/index.ts';
import type { SessionActivities } from './contract.ts';
import { readSession } from './session-data.ts';
import type { ActivityDeps } from './deps.ts';
import { lively } from './lively.ts';
import { ensureSandbox } from './session-sandbox.ts';
import { recordedOutcome, recordOutcome } from './tool-outcome.ts';

/**
 * Performs a tool use in the session's sandbox. The tool use's id is the key, there and in the effects here: whichever
 * attempt comes, after whatever crash, it is performed at most once.
 */
export function runTool(deps: ActivityDeps): SessionActivities['runTool'] {
  const { store, sandboxes } = deps;
  return async ({ session, call }) =>
    await lively(async (signal) => {
      const recorded = await recordedOutcome(store, session, call);
      if (recorded) return { type: recorded.status };
      const use = await store.events.find(session, call);
      if (!use) throw new NotStored('effect', call);
      const { name, input } = use.payload as { name: string; input: unknown };
      const { agent } = await readSession(store, session);
      const tool = toolFor(toolDefinitions(agent.tools), { name });
      if (!tool) throw new NotStored('effect', `${call}: the agent has no tool '${name}'`);
      const sandbox = await ensureSandbox(deps, session);
      const outcome = await sandboxes.perform(
        sandbox,
        { key: call, tool: tool as ToolDefinition, input },
        { signal },
      );
      if (outcome.status === 'unknown') return { type: 'unknown' };
      return { type: (await recordOutcome(store, session, call, outcome)).status };
    });
}
