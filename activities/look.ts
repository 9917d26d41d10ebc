import {
  type ActionOutcome,
  isSandboxError,
  type ResultContent,
  type SessionActivities,
} from '@steadyhand/contracts';
import type { ActivityDeps } from './deps.ts';
import { withHeartbeats } from './heartbeats.ts';
import { formerOutcome, lostOutcome } from './lost-computer.ts';
import { isSameComputer } from './session-computer.ts';
import { ensureSandbox } from './session-sandbox.ts';
import { readToolEffect, recordOutcome } from './tool-outcome.ts';

const UNKNOWN =
  '<system>The computer went down while this action was being performed, and its outcome is unknown: it may have taken ' +
  'effect, in part or not at all. It was not repeated. Check the present state before you go on.</system>';

/** Records a fresh screenshot as the outcome of a tool use whose own outcome is unknown. */
export function look(deps: ActivityDeps): SessionActivities['look'] {
  const { store } = deps;
  return async ({ session, call: toolUse }) =>
    await withHeartbeats(async () => {
      const outcome = await lookOn(deps, session, toolUse).catch((error: unknown) => {
        if (!isSandboxError(error, 'lost')) throw error;
        return lostOutcome(store, session, toolUse, error);
      });
      await recordOutcome(store, session, toolUse, outcome);
    });
}

async function lookOn(
  deps: ActivityDeps,
  session: string,
  toolUse: string,
): Promise<Exclude<ActionOutcome, { status: 'unknown' }>> {
  const { store, sandboxes } = deps;
  const computer = await ensureSandbox(deps, session);
  const { given } = await readToolEffect(store, session, toolUse);
  if (given !== null && !isSameComputer(given, computer)) return formerOutcome(given, computer);
  const content: ResultContent[] = [{ type: 'text', text: UNKNOWN }];
  const screen = (await sandboxes.capabilities()).desktop
    ? await sandboxes.screenshot(computer.id)
    : undefined;
  if (screen) {
    const data = Buffer.from(screen).toString('base64');
    content.push({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });
  }
  // This is no error, because results that are errors may hold no picture.
  return { status: 'done', is_error: false, content };
}
