import type { PolicyDecision } from './evaluate.ts';

/** The result that the model gets for an action that a rule forbids. */
export function refusalText({ decision, source, rule, message }: PolicyDecision): string {
  const whose = `the ${source}'s policy, rule ${/^\d+$/.test(rule) ? rule : JSON.stringify(rule)}`;
  const why =
    decision === 'ask'
      ? `Not performed: a person has to allow this action first (${whose}).`
      : `Not performed: this action is not allowed (${whose}).`;
  return message === undefined ? why : `${why} ${message}`;
}
