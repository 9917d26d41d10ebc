import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { isRecord } from '../../api/is-record.ts';
import {
  LONGEST_WAIT_S,
  reportingExit,
  ScriptProblemError,
  WAIT_S,
  type PlannedUse,
  type Step,
  type StepAction,
} from './script.ts';
import type { StepName } from './step-forms.ts';

type Input = Readonly<Record<string, unknown>>;

/** A step that may change, since a later `expect` may need its exit code. */
interface Draft {
  label: string;
  line: number;
  action: StepAction;
  orContinue: boolean;
}

function input(label: string, value: unknown, line: number): Input {
  if (isRecord(value)) return value;
  throw new ScriptProblemError(
    line,
    `\`${label}\` takes the tool's input as a map, e.g. \`${label}: {...}\``,
  );
}

function text(label: string, value: unknown, line: number): string {
  if (typeof value === 'string') return value;
  throw new ScriptProblemError(line, `\`${label}\` takes a text`);
}

type Reader = (value: unknown, line: number, orContinue: boolean) => StepAction;

function using(
  need: PlannedUse['need'],
  label: string,
  toInput: (value: unknown, line: number) => Input,
): Reader {
  return (value, line, orContinue) => ({
    kind: 'use',
    uses: [{ label, need, input: toInput(value, line), orContinue }],
    says: [],
  });
}

/** A member of the agent toolset by its name. A text in place of the input is its only required field. */
function member(name: string, field?: string): Reader {
  return using({ name }, name, (value, line) =>
    field !== undefined && typeof value === 'string' ? { [field]: value } : input(name, value, line),
  );
}

const computer = { family: 'computer' } as const;

/** Reads a text that can be visible. */
function visible(label: string, value: unknown, line: number): string {
  const wanted = text(label, value, line);
  if (wanted.trim() === '') throw new ScriptProblemError(line, `\`${label}\` has no text to look for`);
  return wanted;
}

function ordinal(label: string, value: unknown, line: number): number {
  if (value === undefined) return 1;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return value;
  throw new ScriptProblemError(line, `\`${label}\` is a whole number from 1`);
}

const click =
  (label: string, double: boolean): Reader =>
  (value, line) => {
    const { text: wanted, nth, ...rest } = isRecord(value) ? value : { text: value };
    if (Object.keys(rest).length > 0)
      throw new ScriptProblemError(line, `\`${label}\` takes a text or \`{text: ..., nth: 2}\``);
    const target = { text: visible(label, wanted, line), nth: ordinal(`${label}.nth`, nth, line) };
    return { kind: 'click', target, double };
  };

const READERS: Readonly<Record<StepName, Reader>> = {
  bash: using({ family: 'bash' }, 'bash', (value, line) =>
    isRecord(value) ? value : { command: text('bash', value, line) },
  ),
  edit: using({ family: 'text_editor' }, 'edit', (value, line) => input('edit', value, line)),
  computer: using(computer, 'computer', (value, line) => input('computer', value, line)),
  type: using(computer, 'type', (value, line) => ({ action: 'type', text: text('type', value, line) })),
  key: using(computer, 'key', (value, line) => ({ action: 'key', text: text('key', value, line) })),
  read: member('read', 'file_path'),
  write: member('write'),
  glob: member('glob', 'pattern'),
  grep: member('grep', 'pattern'),
  web_fetch: member('web_fetch', 'url'),
  tool: (value, line, orContinue) => {
    const { name, input: given = {}, ...rest } = input('tool', value, line);
    if (typeof name !== 'string' || Object.keys(rest).length > 0) {
      throw new ScriptProblemError(
        line,
        '`tool` takes `{name: ..., input: {...}}` for one of your own tools',
      );
    }
    const use: PlannedUse = {
      label: name,
      need: { name },
      input: input('tool.input', given, line),
      orContinue,
    };
    return { kind: 'use', uses: [use], says: [] };
  },
  say: (value, line) => {
    const said = text('say', value, line);
    if (said.trim() === '') throw new ScriptProblemError(line, '`say` has nothing to say');
    return { kind: 'say', text: said };
  },
  expect: (value, line) => {
    if (typeof value === 'string' && value !== '') return { kind: 'expect_text', text: value };
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255) {
      return { kind: 'expect_exit', code: value };
    }
    throw new ScriptProblemError(
      line,
      '`expect` takes a text that the last result must hold, or an exit code from 0 to 255',
    );
  },
  click: click('click', false),
  double_click: click('double_click', true),
  type_into: (value, line) => {
    const form = '`{field: ..., text: ...}`, with `nth: 2` for the second of several such fields';
    const { field, text: typed, nth, ...rest } = isRecord(value) ? value : {};
    if (field === undefined || typed === undefined || Object.keys(rest).length > 0)
      throw new ScriptProblemError(line, `\`type_into\` takes ${form}`);
    const target = {
      text: visible('type_into.field', field, line),
      nth: ordinal('type_into.nth', nth, line),
    };
    return { kind: 'type_into', target, text: text('type_into.text', typed, line) };
  },
  wait_for: (value, line) => {
    const { text: wanted, timeout = WAIT_S, ...rest } = isRecord(value) ? value : { text: value };
    if (Object.keys(rest).length > 0)
      throw new ScriptProblemError(line, '`wait_for` takes a text or `{text: ..., timeout: 60}`, in seconds');
    if (typeof timeout !== 'number' || !(timeout >= 0 && timeout <= LONGEST_WAIT_S))
      throw new ScriptProblemError(
        line,
        `\`wait_for.timeout\` is a number of seconds from 0 to ${LONGEST_WAIT_S}`,
      );
    return { kind: 'wait_for', text: visible('wait_for', wanted, line), timeoutMs: timeout * 1000 };
  },
};

/** The steps whose map holds texts, and the fields of these texts. */
const SCREEN_STEPS = ['click', 'double_click', 'type_into', 'wait_for'];
const SCREEN_TEXTS = ['text', 'field'];

/** The text in the script where YAML reads a number or a boolean. */
function asWritten({ value, source }: Scalar): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  return source ?? String(value);
}

const STEP_NAMES = [...Object.keys(READERS), 'together'];

function readerOf(label: string): Reader | undefined {
  return Object.hasOwn(READERS, label) ? READERS[label as StepName] : undefined;
}

/** What to do about a problem: end with it, or note it and go on with the next step. */
type Refuse = (problem: ScriptProblemError) => void;

class ScriptReader {
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;
  readonly #refuse: Refuse;

  constructor(source: string, refuse: Refuse) {
    this.#refuse = refuse;
    this.#lines = new LineCounter();
    this.#document = parseDocument(source, { lineCounter: this.#lines });
    const [error] = this.#document.errors;
    if (error === undefined) return;
    const [reason = error.message] = error.message.split(/ at line \d+/);
    throw new ScriptProblemError(error.linePos?.[0].line ?? 1, `this is not valid YAML: ${reason}`);
  }

  steps(): Draft[] {
    const { contents } = this.#document;
    if (!isSeq(contents))
      throw new ScriptProblemError(this.#lineOf(contents), 'a script is a YAML list of steps');
    if (contents.items.length === 0) throw new ScriptProblemError(1, 'the list of steps is empty');
    return contents.items.flatMap((item) => {
      try {
        return [this.#step(item)];
      } catch (error) {
        if (!(error instanceof ScriptProblemError)) throw error;
        this.#refuse(error);
        return [];
      }
    });
  }

  #lineOf(node: unknown): number {
    const offset = typeof node === 'object' && node !== null && 'range' in node ? node.range : null;
    return Array.isArray(offset) ? this.#lines.linePos(Number(offset[0])).line : 1;
  }

  #step(item: unknown): Draft {
    const line = this.#lineOf(item);
    if (!isMap(item)) throw new ScriptProblemError(line, 'a step is a map such as `bash: ls`');
    const orContinue = this.#orContinue(item, line);
    const actions = item.items.filter(({ key }) => !isScalar(key) || key.value !== 'or_continue');
    const names = actions.map(({ key }) => String(isScalar(key) ? key.value : key));
    const [label] = names;
    if (label === undefined)
      throw new ScriptProblemError(line, 'a step needs an action beside `or_continue`');
    const unknown = names.find((name) => !STEP_NAMES.includes(name));
    if (unknown !== undefined) {
      throw new ScriptProblemError(
        line,
        `unknown step \`${unknown}\`; the steps are ${STEP_NAMES.join(', ')}`,
      );
    }
    if (names.length > 1) {
      throw new ScriptProblemError(
        line,
        `a step has one action, this has ${names.join(' and ')}; begin each with \`- \``,
      );
    }
    const action =
      label === 'together'
        ? this.#together(item.get('together', true), line)
        : readerOf(label)?.(this.#value(item, label, line), line, orContinue);
    if (action === undefined) throw new Error(`the step ${label} has no reader`);
    return { label, line, action, orContinue };
  }

  #orContinue(item: YAMLMap, line: number): boolean {
    const value: unknown = item.get('or_continue');
    if (value === undefined || typeof value === 'boolean') return value === true;
    throw new ScriptProblemError(line, '`or_continue` is true or false');
  }

  #value(item: YAMLMap, label: string, line: number): unknown {
    const node: unknown = item.get(label, true);
    // `type: 007` types three characters. Only `expect` distinguishes a number from a text.
    if (label !== 'expect' && isScalar(node)) return asWritten(node) ?? node.value;
    try {
      const all: unknown = item.toJS(this.#document);
      const value = isRecord(all) ? all[label] : undefined;
      if (!isRecord(value) || !isMap(node) || !SCREEN_STEPS.includes(label)) return value;
      const texts = SCREEN_TEXTS.map((key) => {
        const scalar: unknown = node.get(key, true);
        return [key, (isScalar(scalar) ? asWritten(scalar) : undefined) ?? value[key]] as const;
      });
      return { ...value, ...Object.fromEntries(texts.filter(([, given]) => given !== undefined)) };
    } catch (error) {
      // An alias names no anchor, or there are too many aliases.
      throw new ScriptProblemError(line, error instanceof Error ? error.message : String(error));
    }
  }

  #together(value: unknown, line: number): StepAction {
    if (!isSeq(value) || value.items.length === 0) {
      throw new ScriptProblemError(line, '`together` takes a list of steps for one reply');
    }
    const uses: PlannedUse[] = [];
    const says: string[] = [];
    for (const item of value.items) {
      const { action, label, line: at } = this.#step(item);
      if (action.kind === 'say') says.push(action.text);
      else if (action.kind === 'use' && label !== 'together') uses.push(...action.uses);
      else
        throw new ScriptProblemError(
          at,
          `\`${label}\` cannot stand in \`together\`: it is no single tool use`,
        );
    }
    if (uses.length === 0) throw new ScriptProblemError(line, '`together` holds no tool use');
    return { kind: 'use', uses, says };
  }
}

/** Makes the command before an `expect` with a number print its exit code. */
function askForExit(draft: Draft, line: number): void {
  const { action } = draft;
  const last = action.kind === 'use' ? action.uses.at(-1) : undefined;
  const command = last?.input['command'];
  if (action.kind !== 'use' || last === undefined || last.label !== 'bash' || typeof command !== 'string') {
    throw new ScriptProblemError(line, '`expect` with an exit code needs a `bash` command right before it');
  }
  const asking = { ...last, input: { ...last.input, command: reportingExit(command) } };
  draft.action = { ...action, uses: [...action.uses.slice(0, -1), asking] };
}

/** Makes commands print the exit codes that are expected of them. */
function askForExits(drafts: readonly Draft[]): void {
  const asked = new Set<Draft>();
  for (const [index, { action, line }] of drafts.entries()) {
    if (action.kind !== 'expect_exit') continue;
    const before = drafts
      .slice(0, index)
      .findLast(({ action: { kind } }) => kind !== 'say' && kind !== 'expect_text' && kind !== 'expect_exit');
    if (before === undefined) {
      throw new ScriptProblemError(line, '`expect` with an exit code needs a `bash` command right before it');
    }
    if (!asked.has(before)) askForExit(before, line);
    asked.add(before);
  }
}

/**
 * Parses the steps of a script.
 *
 * @throws {ScriptProblemError} naming the line, for anything that is not a list of known steps
 */
export function parseScript(source: string): Step[] {
  const drafts = new ScriptReader(source, (problem) => {
    throw problem;
  }).steps();
  askForExits(drafts);
  return drafts;
}

/** What is wrong with a script: the first problem of each step, in their order; none where `parseScript` takes it. */
export function scriptProblems(source: string): readonly ScriptProblemError[] {
  const problems: ScriptProblemError[] = [];
  try {
    const drafts = new ScriptReader(source, (problem) => problems.push(problem)).steps();
    // Where steps are missing, an `expect` may seem wrong that is not.
    if (problems.length === 0) askForExits(drafts);
  } catch (error) {
    if (!(error instanceof ScriptProblemError)) throw error;
    problems.push(error);
  }
  return problems;
}
