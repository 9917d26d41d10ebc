import { type GuardedAction, isSandboxError } from '@steadyhand/contracts';
import type { ActionFacts } from './action-facts.ts';
import { dependsOnWindow, evaluatePolicies, type PolicyDecision, type SourcedPolicy } from './evaluate.ts';
import { grantedBy, type HeldGrant } from './grant.ts';

export interface Guard {
  readonly policies: readonly SourcedPolicy[];
  readonly facts: readonly ActionFacts[];
  /** A person has allowed this action. */
  readonly confirmed: boolean;
  /** What a person has allowed for the rest of the session; it answers what would be asked. */
  readonly grants?: readonly HeldGrant[] | undefined;
  /** The decision of the grant by which the action was let through. A grant has to cover it still. */
  readonly granted?: PolicyDecision | undefined;
  /** Says why an action may not go to a window, where something else than the policies has a say. */
  readonly objection?: ((windowTitle: string | null) => string | undefined) | undefined;
}

export type Guarded<T> =
  | { readonly outcome: T }
  | { readonly refused: PolicyDecision }
  | { readonly objection: string };

/** Looks at the window before it gives up. */
const MOST_LOOKS = 5;

/**
 * Performs an action if the policies allow it at the moment at which it is performed: the window may be another one than when
 * the model's reply was judged. Where that matters the sandbox performs it only in the window that was looked at.
 */
export async function performGuarded<T>(action: GuardedAction<T>, guard: Guard): Promise<Guarded<T>> {
  const looks = guard.objection !== undefined || dependsOnWindow(guard.policies, guard.facts);
  for (let look = 1; ; look += 1) {
    const title = looks ? await action.windowTitle() : null;
    const against = await refusalOf(guard, title);
    if (against !== undefined)
      return (await action.isKnown()) ? { outcome: await action.perform() } : against;
    try {
      return { outcome: await (looks ? action.perform(title) : action.perform()) };
    } catch (error) {
      if (!isSandboxError(error, 'window_changed')) throw error;
      if (look >= MOST_LOOKS)
        return {
          objection: 'Not performed: the window that has the keyboard kept changing. Look at the screen.',
        };
    }
  }
}

async function refusalOf(
  { policies, facts, confirmed, grants = [], granted, objection }: Guard,
  title: string | null,
): Promise<{ readonly refused: PolicyDecision } | { readonly objection: string } | undefined> {
  const decided = await evaluatePolicies(policies, facts, title);
  if (decided?.decision === 'deny') return { refused: decided };
  const asked = decided?.decision === 'ask' ? decided : withdrawn(granted);
  if (asked !== undefined && !confirmed && (await grantedBy(grants, facts)) === undefined)
    return { refused: asked };
  const said = objection?.(title);
  return said === undefined ? undefined : { objection: said };
}

/** What is left of a grant's decision once the grant is gone. */
function withdrawn(granted: PolicyDecision | undefined): PolicyDecision | undefined {
  return granted === undefined ? undefined : { ...granted, decision: 'ask' };
}

/** The result that the model gets for an action that a rule forbids. */
export function refusalText({ decision, source, rule, message }: PolicyDecision): string {
  if (source === 'person')
    return 'Not performed: a person has to allow this action first (what was allowed for the session is withdrawn).';
  const whose = `the ${source}'s policy, rule ${/^\d+$/.test(rule) ? rule : JSON.stringify(rule)}`;
  const why =
    decision === 'ask'
      ? `Not performed: a person has to allow this action first (${whose}).`
      : `Not performed: this action is not allowed (${whose}).`;
  return message === undefined ? why : `${why} ${message}`;
}
