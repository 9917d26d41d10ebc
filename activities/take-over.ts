import { setTimeout as pause } from 'node:timers/promises';
import type {
  PersonInput,
  SessionActivities,
  Takeover,
  TakeOverInput,
  TakeoverPage,
} from '@steadyhand/contracts';
import { readTakeover, startTakeover } from '@steadyhand/sandbox/client';
import { append, interruptedResult, logSummary, type NewEvent, raiseEpoch } from '@steadyhand/sessions';
import type { ActivityDeps } from './deps.ts';
import { withHeartbeats } from './heartbeats.ts';
import { ensureSandbox } from './session-sandbox.ts';
import { stepKey } from './step-key.ts';
import { takeoverNote } from './takeover-note.ts';

const LONG_POLL_MS = 5_000;
/** How long inputs are collected for one event. */
const COLLECT_MS = 500;

/**
 * Gives mouse and keyboard of the session's sandbox to a person and writes what they do into the event log, until they have
 * handed them back. The daemon holds the takeover and its inputs; each event's key is the number of its first input, so the
 * next attempt goes on where the last event ended.
 */
export function takeOver(deps: ActivityDeps): SessionActivities['takeOver'] {
  const { store, sandboxes } = deps;
  return async (input, invocation) =>
    await withHeartbeats(async (signal) => {
      const { session, epoch, takeover: id, record, disconnect_after_s, expires_after_s } = input;
      const write = (key: string, events: readonly NewEvent[]): ReturnType<typeof append> =>
        append(store, { session, epoch, key, events });
      // From here on a reply that is on its way is refused, so the log's tool uses are final.
      await raiseEpoch(store, session, epoch);
      await write(stepKey(input, invocation, 'late'), await lateReplies(deps, input));
      const sandbox = await ensureSandbox(deps, session);
      await startTakeover(sandboxes, sandbox, { id, record, disconnect_after_s, expires_after_s });
      await write(`takeover/${id}/started`, [
        { type: 'sandbox.takeover_started', body: { takeover_id: id } },
      ]);
      const inputs: PersonInput[] = [];
      for (;;) {
        const page = await inputsAfter(inputs.length);
        const ended = endOf(page, id);
        if (page.inputs.length > 0) {
          const { events } = await write(`takeover/${id}/input/${inputs.length}`, [
            { type: 'sandbox.takeover_input', body: { takeover_id: id, inputs: page.inputs } },
          ]);
          const [recorded] = events;
          if (recorded?.type === 'sandbox.takeover_input') inputs.push(...recorded.body.inputs);
        } else if (ended !== null) {
          const screen = await sandboxes.screenshot(sandbox).catch(() => null);
          const content = takeoverNote(inputs, ended.duration_ms, screen);
          const body = { takeover_id: id, ...ended, content };
          const { cursor } = await write(`takeover/${id}/ended`, [{ type: 'sandbox.takeover_ended', body }]);
          return { cursor };
        }
      }

      async function inputsAfter(after: number): Promise<TakeoverPage> {
        const page = await readTakeover(sandboxes, sandbox, { after, waitMs: LONG_POLL_MS, signal });
        if (page.inputs.length === 0 || page.more || endOf(page, id) !== null) return page;
        await pause(COLLECT_MS, undefined, { signal });
        return readTakeover(sandboxes, sandbox, { after, signal });
      }
    });
}

/** How the takeover ended, null while it goes on. A daemon that does not know it (its folder was restored) has ended it. */
function endOf({ takeover }: TakeoverPage, id: string): Takeover['ended'] {
  if (takeover?.id === id) return takeover.ended;
  return { reason: 'expired', duration_ms: 0 };
}

/** Results for the tool uses of a reply that came while the takeover began: nobody will perform them. */
async function lateReplies(
  { store }: ActivityDeps,
  { session, kept }: TakeOverInput,
): Promise<readonly NewEvent[]> {
  const { open_tool_uses: open } = await logSummary(store, session);
  return open.filter((toolUse) => !kept.includes(toolUse)).map((toolUse) => interruptedResult(toolUse));
}
