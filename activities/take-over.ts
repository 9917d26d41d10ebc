import { setTimeout as pause } from 'node:timers/promises';
import {
  isSandboxError,
  type PersonInput,
  type SessionActivities,
  type Takeover,
  type TakeOverInput,
  type TakeoverPage,
} from '@steadyhand/contracts';
import { readTakeover, startTakeover } from '@steadyhand/sandbox/client';
import {
  append,
  type Base64Source,
  interruptedResult,
  logSummary,
  type NewEvent,
  raiseEpoch,
} from '@steadyhand/sessions';
import type { ActivityDeps } from './deps.ts';
import { withHeartbeats } from './heartbeats.ts';
import { leaveLostComputer } from './lost-computer.ts';
import { ensureSandbox } from './session-sandbox.ts';
import { stepKey } from './step-key.ts';

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
      const sandbox = await computerFor(deps, session, id);
      await startTakeover(sandboxes, sandbox, { id, record, disconnect_after_s, expires_after_s });
      await write(`takeover/${id}/started`, [
        { type: 'sandbox.takeover_started', body: { takeover_id: id } },
      ]);
      const inputs: PersonInput[] = [];
      for (;;) {
        const page = await inputsAfter(inputs.length).catch(async (error: unknown) => {
          if (!isSandboxError(error, 'lost')) throw error;
          await leaveLostComputer(store, session, error);
          return null;
        });
        if (page === null) {
          const content = [{ type: 'text' as const, text: `<system>${LOST_MEANWHILE}</system>` }];
          const body = { takeover_id: id, reason: 'disconnected' as const, duration_ms: 0, content };
          const { cursor } = await write(`takeover/${id}/ended`, [{ type: 'sandbox.takeover_ended', body }]);
          return { cursor };
        }
        const ended = endOf(page, id);
        if (page.inputs.length > 0) {
          const { events } = await write(`takeover/${id}/input/${inputs.length}`, [
            { type: 'sandbox.takeover_input', body: { takeover_id: id, inputs: page.inputs } },
          ]);
          const [recorded] = events;
          if (recorded?.type === 'sandbox.takeover_input') inputs.push(...recorded.body.inputs);
        } else if (ended !== null) {
          const screen = await sandboxes.screenshot(sandbox).catch(() => null);
          const isNew = (await store.effects.get(session, lostKey(id))) !== undefined;
          const content = takeoverNote(inputs, ended.duration_ms, { screen, isNew });
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

const LOST_MEANWHILE =
  'A person had taken over the computer, and the computer was lost: the machine that had it is gone, and its files and ' +
  'programs with it. The next action gets a new computer, on which nothing of this one is left.';

const lostKey = (takeover: string): string => `takeover/${takeover}/lost`;

/** The session's sandbox; a new one where the computer was lost, which the model is told after the takeover. */
async function computerFor(deps: ActivityDeps, session: string, takeover: string): Promise<string> {
  try {
    return (await ensureSandbox(deps, session)).id;
  } catch (error) {
    if (!isSandboxError(error, 'lost')) throw error;
    await deps.store.effects.begin(session, lostKey(takeover));
    await leaveLostComputer(deps.store, session, error);
    return (await ensureSandbox(deps, session)).id;
  }
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

interface Text {
  readonly type: 'text';
  readonly text: string;
}
interface Picture {
  readonly type: 'image';
  readonly source: Base64Source;
}

/** The content that tells the model, after a takeover, how much the person did; it does not hold what they typed. */
function takeoverNote(
  inputs: readonly PersonInput[],
  durationMs: number,
  { screen, isNew }: { readonly screen: Uint8Array | null; readonly isNew: boolean },
): readonly (Text | Picture)[] {
  const seconds = Math.max(1, Math.round(durationMs / 1000));
  const text =
    `<system>${isNew ? 'The computer was lost, and this is a new computer: files and programs of the old one are gone. ' : ''}` +
    `A person took over the computer for ${seconds} s and ${doneBy(inputs)}. It is yours again. ` +
    'What you had asked for and was not performed by then was not performed; look at the screen before you go on' +
    `${screen === null ? '.' : ': this is the screen now.'}</system>`;
  if (screen === null) return [{ type: 'text', text }];
  const data = Buffer.from(screen).toString('base64');
  return [
    { type: 'text', text },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
  ];
}

function doneBy(inputs: readonly PersonInput[]): string {
  const buttons = inputs.filter((input) => input.type === 'button' && input.down);
  const clicks = buttons.filter((input) => input.type === 'button' && input.button <= 3).length;
  const keys = inputs.filter((input) => input.type === 'key' && input.down).length;
  const done = [
    clicks === 0 ? '' : `clicked ${times(clicks)}`,
    buttons.length === clicks ? '' : 'scrolled',
    keys === 0 ? '' : `pressed ${keys} ${keys === 1 ? 'key' : 'keys'}`,
    inputs.some(({ type }) => type === 'clipboard') ? 'set the clipboard' : '',
  ].filter((part) => part !== '');
  const last = done.pop();
  if (last === undefined) return 'did nothing with mouse or keyboard';
  return done.length === 0 ? last : `${done.join(', ')} and ${last}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
