import type { ActionFacts } from './action-facts.ts';
import type { ActionPolicy, Decision, PolicyRule, RuleMatch } from './action-policy.ts';
import { type CommandReadings, readCommand } from './command-readings.ts';
import { compilePattern, type MatchOptions, type Pattern } from './pattern.ts';

/** Whose policy it is. */
export type PolicySource = 'server' | 'agent' | 'session' | 'sandbox';

/** What rules said of an action; it stands in the action's event. */
export interface PolicyDecision {
  readonly decision: Decision;
  readonly source: PolicySource;
  /** The rule's name, or its place from 1. */
  readonly rule: string;
  readonly message?: string;
}

export interface SourcedPolicy {
  readonly source: PolicySource;
  readonly policy: ActionPolicy;
}

/** Characters of a value that patterns are held against; a longer one counts as matching whatever could forbid it. */
const LONGEST = 100_000;
const STRICTNESS: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 };

/**
 * What the policies say of a tool use. In each the first rule that matches decides; of several policies, and of several
 * actions in one use, the strictest decision stands, so that none loosens what another one says. Undefined where no rule
 * matches some action: the tool's own permission then holds for it.
 * @param windowTitle of the window that has the keyboard; null where there is none
 */
export function evaluatePolicies(
  policies: readonly SourcedPolicy[],
  facts: readonly ActionFacts[],
  windowTitle: string | null,
): PolicyDecision | undefined {
  const said = facts.map((action) => {
    const decisions = policies.flatMap(
      ({ source, policy }) => evaluate(source, policy, action, windowTitle) ?? [],
    );
    return strictest(decisions);
  });
  const found = strictest(said.filter((decision) => decision !== undefined));
  return found?.decision === 'allow' && said.includes(undefined) ? undefined : found;
}

/** Whether what the policies say of these actions may depend on the window that has the keyboard. */
export function dependsOnWindow(policies: readonly SourcedPolicy[], facts: readonly ActionFacts[]): boolean {
  return (
    facts.some(({ tool }) => tool === 'computer') &&
    policies.some(({ policy }) => policy.rules.some(({ match }) => match.window_title !== undefined))
  );
}

function strictest(decisions: readonly PolicyDecision[]): PolicyDecision | undefined {
  return decisions.toSorted((one, other) => STRICTNESS[other.decision] - STRICTNESS[one.decision])[0];
}

function evaluate(
  source: PolicySource,
  { rules }: ActionPolicy,
  facts: ActionFacts,
  windowTitle: string | null,
): PolicyDecision | undefined {
  const index = rules.findIndex((rule) => applies(rule, facts, windowTitle));
  const rule = rules[index];
  if (rule === undefined) return undefined;
  const { decision, name = String(index + 1), message } = rule;
  return { decision, source, rule: name, ...(message === undefined ? {} : { message }) };
}

function applies({ match, decision }: PolicyRule, facts: ActionFacts, windowTitle: string | null): boolean {
  const strict = decision === 'allow';
  return (
    named(match.tool, facts.tool) &&
    named(match.action, facts.action) &&
    commandMatches(match.command, facts.command, strict) &&
    pathMatches(match.path, facts.path, strict) &&
    textMatches(match.text, facts.texts, strict) &&
    titleMatches(match.window_title, facts, windowTitle, strict)
  );
}

function named(wanted: RuleMatch['action'], value: string): boolean {
  return wanted === undefined || listed(wanted).includes(value);
}

/** A rule that forbids holds where any reading of the command matches, one that allows where all of its commands do. */
function commandMatches(wanted: RuleMatch['command'], command: string | undefined, strict: boolean): boolean {
  if (wanted === undefined) return true;
  if (command === undefined) return false;
  if (command.length > LONGEST) return !strict;
  const { commands, all, tooMany } = readingsOf(command);
  if (tooMany) return !strict;
  if (strict) return commands.length > 0 && commands.every((one) => anyMatches(wanted, one, strict));
  return all.some((one) => anyMatches(wanted, one, strict));
}

function pathMatches(wanted: RuleMatch['path'], path: string | undefined, strict: boolean): boolean {
  if (wanted === undefined) return true;
  if (path === undefined) return false;
  if (path.length > LONGEST) return !strict;
  const options = { whole: true, exactCase: strict, dotAll: true };
  return listed(wanted).some((glob) => globPattern(glob).matches(path, options));
}

function textMatches(wanted: RuleMatch['text'], texts: readonly string[], strict: boolean): boolean {
  if (wanted === undefined) return true;
  const matches = (text: string): boolean => anyMatches(wanted, text, strict);
  return strict ? texts.length > 0 && texts.every(matches) : texts.some(matches);
}

function titleMatches(
  wanted: RuleMatch['window_title'],
  { tool }: ActionFacts,
  title: string | null,
  strict: boolean,
): boolean {
  if (wanted === undefined) return true;
  return tool === 'computer' && title !== null && anyMatches(wanted, title, strict);
}

/**
 * In doubt, the stricter: what forbids need only be found, in any case; what allows has to cover the whole, in its case, and
 * within one line.
 */
function anyMatches(wanted: string | readonly string[], text: string, strict: boolean): boolean {
  if (text.length > LONGEST) return !strict;
  const options: MatchOptions = { whole: strict, exactCase: strict, dotAll: !strict };
  return listed(wanted).some((source) => compiled(source).matches(text, options));
}

/** Whether a text is wholly what a pattern says, in its case. */
export function coversWhole(patterns: string | readonly string[], text: string): boolean {
  return anyMatches(patterns, text, true);
}

function listed<T extends string>(value: T | readonly T[]): readonly T[] {
  return typeof value === 'string' ? [value] : value;
}

function globPattern(glob: string): Pattern {
  const source = glob
    .split(/(\/\*\*$|\*\*\/?|\*|\?)/)
    .map((part, index) => {
      if (index % 2 === 0) return part.replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&');
      if (part === '/**') return '(/.*)?';
      if (part === '**/') return '(.*/)?';
      return { '**': '.*', '*': '[^/]*', '?': '[^/]' }[part] ?? part;
    })
    .join('');
  return compiled(source);
}

const patterns = new Map<string, Pattern>();
/** Patterns come from policies, of which there are few; the oldest go when there are many. */
function compiled(source: string): Pattern {
  const known = patterns.get(source);
  if (known !== undefined) return known;
  const pattern = compilePattern(source);
  if (patterns.size >= 5000) patterns.delete(patterns.keys().next().value ?? '');
  patterns.set(source, pattern);
  return pattern;
}

/** Every rule of a policy asks of the same command. */
let last: { readonly command: string; readonly readings: CommandReadings } | undefined;
function readingsOf(command: string): CommandReadings {
  if (last?.command !== command) last = { command, readings: readCommand(command) };
  return last.readings;
}
