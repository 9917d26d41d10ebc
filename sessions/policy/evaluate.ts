import { domainToASCII } from 'node:url';
import type { ActionFacts } from './action-facts.ts';
import type { ActionPolicy, Decision, PolicyRule, RuleMatch } from './action-policy.ts';
import { type CommandReadings, readCommand } from './command-readings.ts';
import { atOnce, Effort, type Sliced, unhurried } from './effort.ts';
import { compilePattern } from './pattern.ts';
import type { MatchOptions, Program } from './pattern-program.ts';

/** The owner of a policy; a person's are the grants of a session. */
type PolicySource = 'server' | 'agent' | 'session' | 'sandbox' | 'person';

/** A rule's decision on an action, as the action's event carries it. */
export interface PolicyDecision {
  readonly decision: Decision;
  readonly source: PolicySource;
  /** The rule's name, or its place from 1; a grant's id. */
  readonly rule: string;
  readonly message?: string;
}

export interface SourcedPolicy {
  readonly source: PolicySource;
  readonly policy: ActionPolicy;
}

/**
 * The most characters of a value that patterns are matched against. A longer one counts as matching all that forbids.
 */
const LONGEST = 100_000;
const STRICTNESS: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 };

/**
 * The decision of policies on a tool use. In each policy the first rule that matches decides; of several policies, and
 * of several actions in one use, the strictest decision holds, so that no policy weakens another. Undefined where no
 * rule matches some action, for which the tool's own permission then holds.
 * @param windowTitle the title of the window that has the keyboard; null where there is none
 */
export function evaluatePolicies(
  policies: readonly SourcedPolicy[],
  facts: readonly ActionFacts[],
  windowTitle: string | null,
): Promise<PolicyDecision | undefined> {
  return unhurried(evaluation(policies, facts, windowTitle));
}

/** Does what `evaluatePolicies` does, in slices. */
export function* evaluation(
  policies: readonly SourcedPolicy[],
  facts: readonly ActionFacts[],
  windowTitle: string | null,
  effort = new Effort(),
): Sliced<PolicyDecision | undefined> {
  const decided: (PolicyDecision | undefined)[] = [];
  for (const action of facts) {
    const judged = { facts: action, windowTitle, readings: readingsOf(action), effort };
    const decisions: PolicyDecision[] = [];
    for (const { source, policy } of policies) {
      const decision = yield* evaluate(source, policy, judged);
      if (decision !== undefined) decisions.push(decision);
    }
    decided.push(strictest(decisions));
  }
  const found = strictest(decided.filter((decision) => decision !== undefined));
  return found?.decision === 'allow' && decided.includes(undefined) ? undefined : found;
}

/** Whether the decision on these actions may depend on the window that has the keyboard. */
export function dependsOnWindow(policies: readonly SourcedPolicy[], facts: readonly ActionFacts[]): boolean {
  return (
    facts.some(({ tool }) => tool === 'computer') &&
    policies.some(({ policy }) => policy.rules.some(({ match }) => match.window_title !== undefined))
  );
}

function strictest(decisions: readonly PolicyDecision[]): PolicyDecision | undefined {
  return decisions.toSorted((one, other) => STRICTNESS[other.decision] - STRICTNESS[one.decision])[0];
}

/** An action that is compared with the rules. */
interface Judged {
  readonly facts: ActionFacts;
  readonly windowTitle: string | null;
  /** The readings of its command, which are made when a rule first needs them. */
  readonly readings: () => CommandReadings;
  readonly effort: Effort;
}

function* evaluate(
  source: PolicySource,
  { rules }: ActionPolicy,
  judged: Judged,
): Sliced<PolicyDecision | undefined> {
  for (const [index, rule] of rules.entries()) {
    if (!(yield* applies(rule, judged))) continue;
    const { decision, name = String(index + 1), message } = rule;
    return { decision, source, rule: name, ...(message === undefined ? {} : { message }) };
  }
  return undefined;
}

function* applies({ match, decision }: PolicyRule, judged: Judged): Sliced<boolean> {
  const strict = decision === 'allow';
  return (
    named(match.tool, judged.facts.tool) &&
    actionMatches(match.action, judged.facts, strict) &&
    (yield* commandMatches(match.command, judged, strict)) &&
    (yield* pathMatches(match.path, judged, strict)) &&
    (yield* textMatches(match.text, judged, strict)) &&
    (yield* titleMatches(match.window_title, judged, strict)) &&
    hostMatches(match.host, judged.facts) &&
    (yield* urlMatches(match.url, judged, strict))
  );
}

/** Rules that allow must name the action itself; rules that forbid may use its name in other tools. */
function actionMatches(
  wanted: RuleMatch['action'],
  { action, alike = [] }: ActionFacts,
  strict: boolean,
): boolean {
  return named(wanted, action) || (!strict && alike.some((name) => named(wanted, name)));
}

function hostMatches(wanted: RuleMatch['host'], { url }: ActionFacts): boolean {
  if (wanted === undefined) return true;
  if (url === undefined) return false;
  const host = new URL(url).hostname.replace(/\.$/, '');
  return listed(wanted).some((each) => {
    const name = domainToASCII(each.replace(/^\*\./, '').toLowerCase()) || each.toLowerCase();
    return each.startsWith('*.') ? host.endsWith(`.${name}`) : host === name;
  });
}

function* urlMatches(
  wanted: RuleMatch['url'],
  { facts: { url }, effort }: Judged,
  strict: boolean,
): Sliced<boolean> {
  if (wanted === undefined) return true;
  return url !== undefined && (yield* anyMatches(wanted, url, strict, effort));
}

function named(wanted: RuleMatch['action'], value: string): boolean {
  return wanted === undefined || listed(wanted).includes(value);
}

/** Rules that forbid match where any reading of the command does, rules that allow where all of its commands do. */
function* commandMatches(
  wanted: RuleMatch['command'],
  { facts: { command }, readings, effort }: Judged,
  strict: boolean,
): Sliced<boolean> {
  if (wanted === undefined) return true;
  if (command === undefined) return false;
  if (command.length > LONGEST) return !strict;
  const { commands, all, tooMany } = readings();
  if (tooMany) return !strict;
  return yield* strict ? everyMatches(wanted, commands, effort) : someMatches(wanted, all, effort);
}

function* pathMatches(
  wanted: RuleMatch['path'],
  { facts: { path, below }, effort }: Judged,
  strict: boolean,
): Sliced<boolean> {
  if (wanted === undefined) return true;
  if (path === undefined) return false;
  if (path.length > LONGEST) return !strict;
  const options = { whole: true, exactCase: strict, dotAll: true };
  for (const given of listed(wanted)) {
    // An action on everything below a folder is forbidden if a part of it is. Rules that allow have to cover all of it.
    const globs = below === undefined ? [given] : strict ? allBelow(given) : [given, ...foldersOf(given)];
    for (const glob of globs) {
      const value = path === '/' && glob === '' ? '' : path;
      if ((yield* globPattern(glob).search(value, options, effort)) ?? !strict) return true;
    }
  }
  return false;
}

/** The globs of a glob's parent folders: for `/a/b*` these are the root and `/a`. */
function foldersOf(glob: string): string[] {
  const parts = glob.split('/');
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** The glob, if it matches a folder with everything below it; otherwise none. */
function allBelow(glob: string): string[] {
  return glob === '**' || glob.endsWith('/**') ? [glob] : [];
}

function* textMatches(
  wanted: RuleMatch['text'],
  { facts: { texts }, effort }: Judged,
  strict: boolean,
): Sliced<boolean> {
  if (wanted === undefined) return true;
  return yield* strict ? everyMatches(wanted, texts, effort) : someMatches(wanted, texts, effort);
}

function* titleMatches(
  wanted: RuleMatch['window_title'],
  { facts: { tool }, windowTitle, effort }: Judged,
  strict: boolean,
): Sliced<boolean> {
  if (wanted === undefined) return true;
  return (
    tool === 'computer' && windowTitle !== null && (yield* anyMatches(wanted, windowTitle, strict, effort))
  );
}

type Wanted = string | readonly string[];

/** For rules that allow: whether there are texts and each matches. */
function* everyMatches(wanted: Wanted, texts: readonly string[], effort: Effort): Sliced<boolean> {
  for (const text of texts) if (!(yield* anyMatches(wanted, text, true, effort))) return false;
  return texts.length > 0;
}

/** For rules that forbid: whether one of the texts matches. */
function* someMatches(wanted: Wanted, texts: readonly string[], effort: Effort): Sliced<boolean> {
  for (const text of texts) if (yield* anyMatches(wanted, text, false, effort)) return true;
  return false;
}

/**
 * Rules that forbid match a part of the text in any case; rules that allow have to match the whole text, in its case
 * and within one line. A match that takes too much effort counts as what forbids.
 */
function* anyMatches(wanted: Wanted, text: string, strict: boolean, effort: Effort): Sliced<boolean> {
  if (text.length > LONGEST) return !strict;
  const options: MatchOptions = { whole: strict, exactCase: strict, dotAll: !strict };
  for (const source of listed(wanted)) {
    if ((yield* compiled(source).search(text, options, effort)) ?? !strict) return true;
  }
  return false;
}

/** Whether a pattern matches the whole text, in its case. */
export function coversWhole(patterns: Wanted, text: string): boolean {
  return atOnce(anyMatches(patterns, text, true, new Effort()));
}

function listed<T extends string>(value: T | readonly T[]): readonly T[] {
  return typeof value === 'string' ? [value] : value;
}

function globPattern(glob: string): Program {
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

const patterns = new Map<string, Program>();
/** Patterns come from policies, of which there are few; the oldest go when there are many. */
function compiled(source: string): Program {
  const known = patterns.get(source);
  if (known !== undefined) return known;
  const pattern = compilePattern(source);
  if (patterns.size >= 5000) patterns.delete(patterns.keys().next().value ?? '');
  patterns.set(source, pattern);
  return pattern;
}

/** Reads a command at most once, as many rules may need it. */
function readingsOf({ command = '' }: ActionFacts): () => CommandReadings {
  let readings: CommandReadings | undefined;
  return () => (readings ??= readCommand(command));
}
