import { toolFor } from '../messages/index.ts';
import type { ToolDefinition } from '../sandbox/protocol.ts';
import { is, readToolEvents, toolDefinitions, type LogEvent } from '../sessions/index.ts';
import { NotStored } from '../store/index.ts';
import type { SessionActivities } from './contract.ts';
import { readSession } from './session-data.ts';
import type { ActivityDeps } from './deps.ts';
import { lively } from './lively.ts';
import { ensureSandbox } from './session-sandbox.ts';
import { recordedOutcome, recordOutcome } from './tool-outcome.ts';

/** What the API wants of the uses of a computer toolset that come after a failed one in the same reply. */
const NOT_EXECUTED = 'Not executed: an earlier computer action in this turn failed.';

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
      const events = await readToolEvents(store, session);
      const use = events.filter(is('agent.tool_use')).find(({ id }) => id === call);
      if (!use) throw new NotStored('effect', call);
      const { agent } = await readSession(store, session);
      const { name } = use.body;
      const tool = toolFor(toolDefinitions(agent.tools), use.body);
      if (!tool) throw new NotStored('effect', `${call}: the agent has no tool '${name}'`);
      if (comesAfterFailure(use, events)) {
        const refused = { status: 'done', is_error: true, content: NOT_EXECUTED } as const;
        return { type: (await recordOutcome(store, session, call, refused)).status };
      }
      const sandbox = await ensureSandbox(deps, session);
      // A toolset has no name: what its use is of is the member.
      const definition = { ...tool, name } as ToolDefinition;
      const outcome = await sandboxes.perform(
        sandbox,
        { key: call, tool: definition, input: use.body.input },
        { signal },
      );
      if (outcome.status === 'unknown') return { type: 'unknown' };
      return { type: (await recordOutcome(store, session, call, outcome)).status };
    });
}

/** Whether an earlier use of the same toolset in the same reply has failed. */
function comesAfterFailure(use: LogEvent<'agent.tool_use'>, events: readonly LogEvent[]): boolean {
  const { toolset_name: toolset } = use.body;
  if (toolset === undefined) return false;
  const failed = new Set(
    events.filter(is('agent.tool_result')).flatMap(({ body }) => (body.is_error ? [body.tool_use_id] : [])),
  );
  return events
    .filter(is('agent.tool_use'))
    .some(
      ({ id, seq, body, internal }) =>
        seq < use.seq &&
        body.toolset_name === toolset &&
        internal.reply?.id === use.internal.reply?.id &&
        failed.has(id),
    );
}
