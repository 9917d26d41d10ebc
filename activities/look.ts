import type { ResultContent, SessionActivities } from '@steadyhand/contracts';
import type { ActivityDeps } from './deps.ts';
import { withHeartbeats } from './heartbeats.ts';
import { ensureSandbox } from './session-sandbox.ts';
import { recordOutcome } from './tool-outcome.ts';

const UNKNOWN =
  '<system>The computer went down while this action was being performed, and its outcome is unknown: it may have taken ' +
  'effect, in part or not at all. It was not repeated. Check the present state before you go on.</system>';

/** Records a fresh screenshot as the outcome of a tool use whose own outcome is unknown. */
export function look(deps: ActivityDeps): SessionActivities['look'] {
  const { store, sandboxes } = deps;
  return async ({ session, call: toolUse }) =>
    await withHeartbeats(async () => {
      const sandbox = await ensureSandbox(deps, session);
      const content: ResultContent[] = [{ type: 'text', text: UNKNOWN }];
      const screen = (await sandboxes.capabilities()).desktop
        ? await sandboxes.screenshot(sandbox)
        : undefined;
      if (screen) {
        const data = Buffer.from(screen).toString('base64');
        content.push({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });
      }
      // This is no error, because results that are errors may hold no picture.
      await recordOutcome(store, session, toolUse, { status: 'done', is_error: false, content });
    });
}
