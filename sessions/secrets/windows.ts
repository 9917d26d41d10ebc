import { coversWhole } from '../policy/evaluate.ts';
import type { ActionFacts } from '../policy/action-facts.ts';
import type { SecretInfo } from './session-secrets.ts';

/**
 * A function that tells why an action must not type its secrets into a window of a given title; undefined where none of
 * its secrets is bound to windows.
 */
export function windowObjection(
  secrets: readonly SecretInfo[],
  facts: readonly ActionFacts[],
): ((windowTitle: string | null) => string | undefined) | undefined {
  const typed = facts.filter(({ tool }) => tool === 'computer');
  const bound = secrets.filter(
    ({ name, window_title: titles }) =>
      titles !== undefined && typed.some(({ texts }) => texts.some((text) => refersTo(text, name))),
  );
  if (bound.length === 0) return undefined;
  const isNotTyped = typed.some(({ action }) => action !== 'type');
  return (title) => {
    const first = bound.find(
      ({ window_title: titles = [] }) => isNotTyped || title === null || !coversWhole(titles, title),
    );
    if (first === undefined) return undefined;
    const where = (first.window_title ?? []).map((one) => JSON.stringify(one)).join(' or ');
    const now = title === null ? 'no window has the keyboard' : `${JSON.stringify(title)} has the keyboard`;
    return `Not performed: the secret ${first.name} may only be typed, and only into a window titled ${where}; ${now}.`;
  };
}

function refersTo(text: string, name: string): boolean {
  return new RegExp(`\\{\\{\\s*secret:\\s*${name}\\s*\\}\\}`).test(text);
}
