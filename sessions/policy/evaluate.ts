import { domainToASCII } from 'node:url';
import type { ActionFacts } from './action-facts.ts';
import type { ActionPolicy, Decision, PolicyRule, RuleMatch } from './action-policy.ts';
import { type CommandReadings, readCommand } from './command-readings.ts';
import { atOnce, Effort, type Sliced, unhurried } from './effort.ts';
import { compilePattern } from './pattern.ts';
import type { MatchOptions, Program } from './pattern-program.ts';

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
): Promise<PolicyDecision | undefined> {
  return unhurried(evaluation(policies, facts, windowTitle));
}

/** As `evaluatePolicies`, in slices. */
export function* evaluation(
  policies: readonly SourcedPolicy[],
  facts: readonly ActionFacts[],
  windowTitle: string | null,
  effort = new Effort(),
): Sliced<PolicyDecision | undefined> {
  const said: (PolicyDecision | undefined)[] = [];
  for (const action of facts) {
    const judged = { facts: action, windowTitle, readings: readingsOf(action), effort };
    const decisions: PolicyDecision[] = [];
    for (const { source, policy } of policies) {
      const decision = yield* evaluate(source, policy, judged);
      if (decision !== undefined) decisions.push(decision);
    }
    said.push(strictest(decisions));
  }
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

/** An action as it is held against one rule after the other. */
interface Judged {
  readonly facts: ActionFacts;
  readonly windowTitle: string | null;
  /** Of its command, read when a rule first asks. */
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

/** What allows names the action itself; what forbids may name what other tools call it. */
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

/** A rule that forbids holds where any reading of the command matches, one that allows where all of its commands do. */
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
    // What looks below a folder is forbidden where anything there may be. What allows has to cover all of it.
    const globs = below === undefined ? [given] : strict ? allBelow(given) : [given, ...foldersOf(given)];
    for (const glob of globs) {
      const value = path === '/' && glob === '' ? '' : path;
      if ((yield* globPattern(glob).search(value, options, effort)) ?? !strict) return true;
    }
  }
  return false;
}

/** The globs of the folders on the way to what a glob matches: of `/a/b*` these are the root and `/a`. */
function foldersOf(glob: string): string[] {
  const parts = glob.split('/');
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** The glob itself where it matches a folder with all below it; none otherwise. */
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

/** For what allows: there are texts, and each is covered. */
function* everyMatches(wanted: Wanted, texts: readonly string[], effort: Effort): Sliced<boolean> {
  for (const text of texts) if (!(yield* anyMatches(wanted, text, true, effort))) return false;
  return texts.length > 0;
}

/** For what forbids. */
function* someMatches(wanted: Wanted, texts: readonly string[], effort: Effort): Sliced<boolean> {
  for (const text of texts) if (yield* anyMatches(wanted, text, false, effort)) return true;
  return false;
}

/**
 * In doubt, the stricter: what forbids need only be found, in any case; what allows has to cover the whole, in its case, and
 * within one line. So does what takes too much effort to know.
 */
function* anyMatches(wanted: Wanted, text: string, strict: boolean, effort: Effort): Sliced<boolean> {
  if (text.length > LONGEST) return !strict;
  const options: MatchOptions = { whole: strict, exactCase: strict, dotAll: !strict };
  for (const source of listed(wanted)) {
    if ((yield* compiled(source).search(text, options, effort)) ?? !strict) return true;
  }
  return false;
}

/** Whether a text is wholly what a pattern says, in its case. */
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

/** Every rule of every policy asks of the same command. */
function readingsOf({ command = '' }: ActionFacts): () => CommandReadings {
  let readings: CommandReadings | undefined;
  return () => (readings ??= readCommand(command));
}
