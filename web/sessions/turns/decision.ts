import type { PolicyDecision } from '@steadyhand/sessions';
import type { ToolRow } from './rows.ts';

const VERBS = { allow: 'allowed', ask: 'to be asked', deny: 'denied' } as const;

/** The rule that decided on an action, in words; undefined where none did. */
export function decisionOf({ use, result }: Pick<ToolRow, 'use' | 'result'>): string | undefined {
  const decided = result?.policy_decision ?? use.policy_decision;
  return decided === undefined ? undefined : decisionText(decided);
}

export function decisionText({ decision, source, rule }: PolicyDecision): string {
  if (source === 'person')
    return decision === 'allow'
      ? 'allowed by a person for this session'
      : 'not allowed any more: a person withdrew it';
  return `${VERBS[decision]} by ${source} rule ${/^\d+$/.test(rule) ? rule : `“${rule}”`}`;
}
