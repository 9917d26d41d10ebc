import type { MarksScript } from './marks-script.ts';

/** An event of a session's log, as far as the verdict reads it. */
export interface SeenEvent {
  readonly type: string;
  readonly text: string;
  /** Of a tool result: the tool use that it answers. */
  readonly toolUse?: string;
  readonly isError?: boolean;
}

export interface Verdict {
  /** Steps that were told as done and whose mark is not there, on a computer that was not lost. */
  readonly lost: readonly string[];
  /** Marks that stand twice. */
  readonly repeated: readonly string[];
  /** Steps with no result, or with several. */
  readonly unanswered: readonly string[];
  /** Whether marks vanished without a word about a lost computer. */
  readonly silentLoss: boolean;
  /** How often the log says that the computer was lost. */
  readonly computersLost: number;
  /** Steps whose outcome is said to be unknown, or which were refused because the computer was lost. */
  readonly unknown: number;
  /** Whether the last event of the turn says that the script came to its end. */
  readonly finished: boolean;
}

const LOST = /computer (?:was|is) lost|new computer/i;
const UNKNOWN = /outcome is unknown|computer (?:was|is) lost/i;

/** Holds a session's log against its script. */
export function judge(script: MarksScript, events: readonly SeenEvent[]): Verdict {
  const uses = events.filter(({ type }) => type === 'agent.tool_use');
  const results = events.filter(({ type }) => type === 'agent.tool_result');
  const repeated = new Set<string>();
  const missing = new Set<string>();
  let silentLoss = false;
  /** Marks that have to stand on the present computer. */
  let expected = new Set<string>();
  // The first use shows the marks and makes none.
  let step = -1;
  for (const event of events) {
    if (LOST.test(event.text)) expected = new Set();
    if (event.type !== 'agent.tool_result') continue;
    const done = script.steps[step];
    step += 1;
    const shown = /marks=([\w,]*)/.exec(event.text)?.[1]?.split(',').filter(Boolean);
    if (shown !== undefined) {
      for (const mark of twice(shown)) repeated.add(mark);
      const gone = [...expected].filter((mark) => !shown.includes(mark));
      if (gone.length > 0 && gone.length === expected.size) silentLoss = true;
      else for (const mark of gone) missing.add(mark);
      expected = new Set(shown);
    }
    if (done !== undefined && event.isError !== true && !UNKNOWN.test(event.text)) expected.add(done.mark);
  }
  const answers = new Map<string, number>();
  for (const { toolUse = '' } of results) answers.set(toolUse, (answers.get(toolUse) ?? 0) + 1);
  return {
    lost: [...missing],
    repeated: [...repeated],
    unanswered: uses.flatMap(({ toolUse = '' }) => (answers.get(toolUse) === 1 ? [] : [toolUse])),
    silentLoss,
    computersLost: events.filter(({ text, type }) => type !== 'agent.tool_use' && LOST.test(text)).length,
    unknown: results.filter(({ text }) => UNKNOWN.test(text)).length,
    finished: events.some(({ type, text }) => type === 'agent.message' && text.includes('Script: finished')),
  };
}

function twice(marks: readonly string[]): readonly string[] {
  return marks.filter((mark, index) => marks.indexOf(mark) !== index);
}
