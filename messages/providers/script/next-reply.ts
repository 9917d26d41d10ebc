import type { ModelRequest } from '../../api/request.ts';
import { readConversation, stepMark, type Conversation, type Outcome } from './conversation.ts';
import { ScreenText } from './screen-text.ts';
import {
  DONE,
  excerpt,
  failed,
  faultOf,
  findTool,
  notOffered,
  offerOf,
  useOf,
  type Decision,
  type NamedUse,
  type Offer,
  type Situation,
} from './decision.ts';
import { asOffered } from './agent-toolset.ts';
import { parseScript } from './parse-script.ts';
import { expectSeen, isScreenAction, isWhole, decideScreenStep } from './screen-steps.ts';
import { reportedExit, ScriptProblemError, type PlannedUse, type Step } from './script.ts';
import { PictureUnreadableError, type TextRecognizer } from './text-recognizer.ts';

/** The next reply: texts, then tool uses. A reply without tool uses ends the turn. */
export interface ScriptReply {
  readonly texts: readonly string[];
  readonly uses: readonly NamedUse[];
  /** The index of the script's message and the number of earlier tool uses, from which ids derive. */
  readonly position: readonly [message: number, use: number];
}

/** A reply and the time to wait before it. */
interface PlannedReply {
  readonly reply: ScriptReply;
  readonly pauseMs: number;
}

export interface ScriptOptions {
  /** Without a recognizer the steps that read the screen fail with an explanation. */
  readonly recognizer?: TextRecognizer | undefined;
  readonly signal?: AbortSignal;
}

type StepReply = Pick<ScriptReply, 'texts' | 'uses'> & { readonly pauseMs?: number };

function failureOf(uses: readonly PlannedUse[], outcomes: readonly Outcome[]): string | null {
  for (const [index, use] of uses.entries()) {
    const outcome = outcomes[index];
    if (use.orContinue || outcome === undefined) continue;
    const which = uses.length === 1 ? 'the tool' : `\`${use.label}\`, use ${index + 1} of ${uses.length},`;
    const fault = faultOf(outcome, which);
    if (fault !== null) return fault;
  }
  return null;
}

function use(action: Extract<Step['action'], { kind: 'use' }>, { seen, offer }: Situation): Decision {
  const [outcomes] = seen;
  if (outcomes !== undefined) {
    const why = failureOf(action.uses, outcomes);
    return why === null ? DONE : failed(why);
  }
  if (action.uses.length > 1 && !offer.parallel) {
    return failed('the request allows one tool use a reply (`disable_parallel_tool_use`)');
  }
  const named: NamedUse[] = [];
  for (const planned of action.uses) {
    const { need, input } = asOffered(planned, offer);
    const tool = findTool(need, offer);
    if (tool === undefined) return notOffered(planned.need);
    const used = useOf(tool, input);
    if (typeof used === 'string') return failed(used);
    named.push(used);
  }
  return { kind: 'use', says: action.says, uses: named };
}

function expectExit(code: number, last: Outcome | null): Decision {
  const exit = last === null ? null : reportedExit(last.text);
  if (exit === code) return DONE;
  const found = exit === null ? 'none can be read from the last result' : `it is ${exit}`;
  return failed(`the exit code should be ${code}, ${found}: ${excerpt(last?.text ?? '')}`);
}

async function expectText(wanted: string, { last, screenText }: Situation): Promise<Decision> {
  if (last === null) return failed(`there is no result yet that could hold ${JSON.stringify(wanted)}`);
  if (last.text.includes(wanted)) return DONE;
  if (last.picture !== null && screenText !== undefined) return await expectSeen(wanted, last, screenText);
  return failed(`the last result does not hold ${JSON.stringify(wanted)}: ${excerpt(last.text)}`);
}

async function decideStep({ action, label }: Step, situation: Situation): Promise<Decision> {
  switch (action.kind) {
    case 'use':
      return use(action, situation);
    case 'say':
      return { kind: 'done', says: [action.text] };
    case 'expect_text':
      return await expectText(action.text, situation);
    case 'expect_exit':
      return expectExit(action.code, situation.last);
    case 'click':
    case 'type_into':
    case 'wait_for':
      return await decideScreenStep(action, label, situation);
  }
}

/** Decides a step. A picture that cannot be read makes the step fail. */
async function decide(step: Step, situation: Situation): Promise<Decision> {
  try {
    return await decideStep(step, situation);
  } catch (error) {
    if (!(error instanceof PictureUnreadableError)) throw error;
    return failed(`the picture cannot be read: ${error.message}`);
  }
}

/** Goes through the steps past everything that has been done, to the first thing that has not. */
class ScriptRun {
  readonly #steps: readonly Step[];
  readonly #replies: Conversation['replies'];
  readonly #offer: Offer;
  readonly #screenText: ScreenText | undefined;
  #consumed = 0;
  #last: Outcome | null = null;
  #texts: string[] = [];

  constructor(
    steps: readonly Step[],
    { replies }: Conversation,
    offer: Offer,
    screenText: ScreenText | undefined,
  ) {
    this.#steps = steps;
    this.#replies = replies;
    this.#offer = offer;
    this.#screenText = screenText;
  }

  async run(): Promise<StepReply> {
    for (const [index, step] of this.#steps.entries()) {
      const said = isScreenAction(step.action)
        ? await this.#screenStep(step, index + 1)
        : await this.#step(step, index + 1);
      if (said !== null) return said;
    }
    const extra = this.#replies.length - this.#consumed;
    if (extra > 0) return this.#departed(`it has ${extra} more replies with tool uses`, this.#texts);
    const total = this.#steps.length;
    return { texts: [...this.#texts, `Script: finished, ${total} of ${total} steps.`], uses: [] };
  }

  /** Null when the run goes on after the step. */
  async #step(step: Step, number: number): Promise<StepReply | null> {
    const seen: (readonly Outcome[])[] = [];
    for (;;) {
      const recorded = this.#replies[this.#consumed];
      // The conversation went on, so the expectation was met; its picture may be gone.
      if (step.action.kind === 'expect_text' && recorded !== undefined) return null;
      const move = await decide(step, this.#situation(seen));
      if (move.kind !== 'use' || recorded === undefined) return this.#decided(step, number, move);
      if (recorded.outcomes.length !== move.uses.length) {
        const where = this.#describe(step, number);
        return this.#departed(
          `it has ${recorded.outcomes.length} tool uses where ${where} has ${move.uses.length}`,
        );
      }
      seen.push(this.#consume(recorded.outcomes));
    }
  }

  /**
   * Runs a step that looks at the screen. Its earlier replies are known by their marks, so they are never decided again
   * from pictures.
   */
  async #screenStep(step: Step, number: number): Promise<StepReply | null> {
    const { action } = step;
    if (!isScreenAction(action)) throw new Error(`${step.label} does not look at the screen`);
    const seen: (readonly Outcome[])[] = [];
    let next = this.#replies[this.#consumed];
    while (next !== undefined && next.step === number) {
      seen.push(this.#consume(next.outcomes));
      next = this.#replies[this.#consumed];
    }
    if (next === undefined) return this.#decided(step, number, await decide(step, this.#situation(seen)));
    if (step.orContinue && next.step !== null) return null;
    if (next.step !== null && next.step > number && isWhole(action, seen.length, { offer: this.#offer }))
      return null;
    const where = this.#describe(step, number);
    return this.#departed(
      next.step === null
        ? `the replies at ${where} lack the text that says so`
        : `it goes on before ${where} is finished`,
    );
  }

  #situation(seen: Situation['seen']): Situation {
    return { seen, last: this.#last, offer: this.#offer, screenText: this.#screenText };
  }

  #consume(outcomes: readonly Outcome[]): readonly Outcome[] {
    this.#consumed += 1;
    this.#last = outcomes.at(-1) ?? null;
    // The recorded reply held the texts so far.
    this.#texts = [];
    return outcomes;
  }

  #decided(step: Step, number: number, move: Decision): StepReply | null {
    const where = this.#describe(step, number);
    if (move.kind === 'done') {
      this.#texts.push(...move.says);
      return null;
    }
    if (move.kind === 'failed') {
      const why = `Script: ${where} failed: ${move.why}`;
      if (!step.orContinue) return { texts: [...this.#texts, why], uses: [] };
      this.#texts.push(`${why}\nGoing on, as the step says \`or_continue\`.`);
      return null;
    }
    const { says, uses, note, pauseMs = 0 } = move;
    const now = note === undefined ? `Script: ${where}.` : `Script: ${where}: ${note}.`;
    return { texts: [...this.#texts, ...says, now], uses, pauseMs };
  }

  #departed(why: string, texts: readonly string[] = []): StepReply {
    return { texts: [...texts, `Script: the conversation does not follow the script: ${why}.`], uses: [] };
  }

  #describe({ label, line }: Step, number: number): string {
    return `${stepMark(number, this.#steps.length)} (\`${label}\`, line ${line})`;
  }
}

const HELP =
  'This is the `script` provider: it is no language model, it carries out a list of steps in YAML, such as\n' +
  '- bash: echo hello > note.txt\n- computer: {action: screenshot}\n- say: The note is written.';

/**
 * Decides the next reply of a script from the conversation and the offered tools alone, so the same request always
 * gives the same reply, also after a crash.
 */
export async function nextReply(
  request: ModelRequest,
  { recognizer, signal }: ScriptOptions = {},
): Promise<PlannedReply> {
  const conversation = readConversation(request.messages);
  if (conversation === null) return plain([`There is no text to run.\n\n${HELP}`], [0, 0]);
  const done = conversation.replies.reduce((sum, { outcomes }) => sum + outcomes.length, 0);
  const position = [conversation.position, done] as const;
  try {
    const screenText = recognizer === undefined ? undefined : new ScreenText(recognizer, signal);
    const scriptRun = new ScriptRun(
      parseScript(conversation.script),
      conversation,
      offerOf(request),
      screenText,
    );
    const { texts, uses, pauseMs = 0 } = await scriptRun.run();
    return { reply: { texts, uses, position }, pauseMs };
  } catch (error) {
    if (!(error instanceof ScriptProblemError)) throw error;
    return plain([`Your message cannot be run as a script: ${error.message}\n\n${HELP}`], position);
  }
}

function plain(texts: readonly string[], position: ScriptReply['position']): PlannedReply {
  return { reply: { texts, uses: [], position }, pauseMs: 0 };
}
