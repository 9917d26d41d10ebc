import type { SessionRecord, Store } from '@steadyhand/store';
import { performedFor } from '../agents/tools.ts';
import { InvalidRequestError, NotFoundError } from '../api/validate.ts';
import { is } from '../events/types.ts';
import { readLog } from '../log/append.ts';
import { type ActionFacts, factsOf } from '../policy/action-facts.ts';
import { covers, type Grant, MOST_GRANTS } from '../policy/grant.ts';
import { grantChoices } from '../policy/grant-choices.ts';
import { dataOf, requireSession } from '../record/session-data.ts';
import type { UserEvent } from './user-events.ts';

/**
 * Checks what events give and withdraw for the rest of a session: a grant has to cover the tool use that it comes with, so
 * that nobody allows something else by mistake.
 * @throws {InvalidRequestError}
 */
export async function checkGrants(
  store: Store,
  record: SessionRecord,
  events: readonly UserEvent[],
): Promise<void> {
  const held = new Set((dataOf(record).log.grants ?? []).map(({ id }) => id));
  let count = held.size;
  for (const [index, event] of events.entries()) {
    if (event.type === 'user.grant_withdrawn' && !held.delete(event.body.grant_id))
      throw new InvalidRequestError(`events.${index}.grant_id: No grant ${event.body.grant_id} is held`);
    if (event.type === 'user.grant_withdrawn') count -= 1;
    if (event.type !== 'user.tool_confirmation' || event.body.grant === undefined) continue;
    count += 1;
    if (count > MOST_GRANTS)
      throw new InvalidRequestError(`events.${index}.grant: A session holds at most ${MOST_GRANTS} grants`);
    const facts = await factsOfUse(store, record, event.body.tool_use_id);
    if (!(await covers(event.body.grant, facts)))
      throw new InvalidRequestError(`events.${index}.grant: It does not cover what this tool use does`);
  }
}

/**
 * The grants that a person may be offered beside a tool use, the narrowest first.
 * @throws {NotFoundError} for an unknown session or tool use
 */
export async function grantsFor(store: Store, session: string, toolUse: string): Promise<readonly Grant[]> {
  return grantChoices(await factsOfUse(store, await requireSession(store, session), toolUse));
}

async function factsOfUse(
  store: Store,
  record: SessionRecord,
  toolUse: string,
): Promise<readonly ActionFacts[]> {
  const [use] = (await readLog(store, record.id, { ids: [toolUse] })).filter(is('agent.tool_use'));
  if (use === undefined) throw new NotFoundError('Tool use', toolUse);
  const tool = performedFor(dataOf(record).agent.tools, use.body);
  return tool === undefined ? [] : factsOf({ ...tool, input: use.body.input });
}
