import type { ToolParam } from '../../api-types.ts';
import type { ModelRequest } from '../../request.ts';
import { readConversation, type Conversation, type Outcome } from './conversation.ts';
import { parseScript } from './parse-script.ts';
import { reportedExit, ScriptProblem, type PlannedUse, type Step, type ToolNeed } from './script.ts';

/** A tool use under the name that the client gave the tool. */
export interface NamedUse {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The next reply: texts, then tool uses. Without tool uses the turn ends. */
export interface ScriptReply {
  readonly texts: readonly string[];
  readonly uses: readonly NamedUse[];
  /** Index of the user's message that holds the script, and how many tool uses came before; for ids. */
  readonly position: readonly [message: number, use: number];
}

/** What a step wants, given what came back for it so far. Steps that look at the screen will ask several times. */
type Move =
  | { readonly kind: 'done'; readonly says: readonly string[] }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'use'; readonly says: readonly string[]; readonly uses: readonly NamedUse[] };

interface Situation {
  /** The outcomes of this step's own replies so far. */
  readonly seen: readonly (readonly Outcome[])[];
  /** The newest outcome of any step. */
  readonly last: Outcome | null;
}

/** The tools on offer, and whether several may be used in one reply. */
interface Offer {
  readonly tools: readonly ToolParam[];
  readonly parallel: boolean;
}

const EXCERPT = 600;
const DONE: Move = { kind: 'done', says: [] };

function excerpt(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '(no text)';
  return trimmed.length <= EXCERPT ? trimmed : `${trimmed.slice(0, EXCERPT)} ...`;
}

function offerOf({ tools, tool_choice: choice }: ModelRequest): Offer {
  const disabled =
    choice !== undefined && choice.type !== 'none' && choice.disable_parallel_tool_use === true;
  return { tools: choice?.type === 'none' ? [] : tools, parallel: !disabled };
}

function findTool(need: ToolNeed, { tools }: Offer): ToolParam | undefined {
  return tools.find((tool) =>
    'name' in need
      ? tool.name === need.name && (tool.type == null || tool.type === 'custom')
      : tool.type?.startsWith(`${need.family}_`),
  );
}

function failureOf(uses: readonly PlannedUse[], outcomes: readonly Outcome[]): string | null {
  for (const [index, use] of uses.entries()) {
    const outcome = outcomes[index];
    if (use.orContinue || outcome === undefined) continue;
    const which = uses.length === 1 ? 'the tool' : `\`${use.label}\`, use ${index + 1} of ${uses.length},`;
    if (outcome.missing) return `${which} was never answered`;
    if (outcome.isError) return `${which} answered with an error: ${excerpt(outcome.text)}`;
  }
  return null;
}

function use(action: Extract<Step['action'], { kind: 'use' }>, { seen }: Situation, offer: Offer): Move {
  const [outcomes] = seen;
  if (outcomes !== undefined) {
    const why = failureOf(action.uses, outcomes);
    return why === null ? DONE : { kind: 'failed', why };
  }
  if (action.uses.length > 1 && !offer.parallel) {
    return { kind: 'failed', why: 'the request allows one tool use a reply (`disable_parallel_tool_use`)' };
  }
  const named: NamedUse[] = [];
  for (const { need, input } of action.uses) {
    const tool = findTool(need, offer);
    if (tool === undefined) {
      const wanted = 'name' in need ? `tool named \`${need.name}\`` : `\`${need.family}_...\` tool`;
      return { kind: 'failed', why: `the request offers no ${wanted}` };
    }
    named.push({ name: tool.name, input });
  }
  return { kind: 'use', says: action.says, uses: named };
}

function expectExit(code: number, last: Outcome | null): Move {
  const exit = last === null ? null : reportedExit(last.text);
  if (exit === code) return DONE;
  const found = exit === null ? 'none can be read from the last result' : `it is ${exit}`;
  return { kind: 'failed', why: `the exit code should be ${code}, ${found}: ${excerpt(last?.text ?? '')}` };
}

function advance({ action, label }: Step, situation: Situation, offer: Offer): Move {
  switch (action.kind) {
    case 'use':
      return use(action, situation, offer);
    case 'say':
      return { kind: 'done', says: [action.text] };
    case 'expect_text':
      return situation.last?.text.includes(action.text)
        ? DONE
        : {
            kind: 'failed',
            why:
              situation.last === null
                ? `there is no result yet that could hold ${JSON.stringify(action.text)}`
                : `the last result does not hold ${JSON.stringify(action.text)}: ${excerpt(situation.last.text)}`,
          };
    case 'expect_exit':
      return expectExit(action.code, situation.last);
    case 'find_on_screen':
      return {
        kind: 'failed',
        why: `\`${label}\` has to read text from the screen, and this server has no text recognition yet`,
      };
  }
}

function describe(step: Step, number: number, total: number): string {
  return `step ${number} of ${total} (\`${step.label}\`, line ${step.line})`;
}

/** Walks the steps past everything that has been done, to the first thing that has not. */
function walk(
  steps: readonly Step[],
  conversation: Conversation,
  offer: Offer,
): Omit<ScriptReply, 'position'> {
  const { replies } = conversation;
  let consumed = 0;
  let last: Outcome | null = null;
  let texts: string[] = [];
  for (const [index, step] of steps.entries()) {
    const where = describe(step, index + 1, steps.length);
    const seen: (readonly Outcome[])[] = [];
    for (;;) {
      const move = advance(step, { seen, last }, offer);
      if (move.kind === 'done') {
        texts.push(...move.says);
        break;
      }
      if (move.kind === 'failed') {
        const failed = `Script: ${where} failed: ${move.why}`;
        if (!step.orContinue) return { texts: [...texts, failed], uses: [] };
        texts.push(`${failed}\nGoing on, as the step says \`or_continue\`.`);
        break;
      }
      const recorded = replies[consumed];
      if (recorded === undefined)
        return { texts: [...texts, ...move.says, `Script: ${where}.`], uses: move.uses };
      if (recorded.length !== move.uses.length) {
        const count = `${recorded.length} tool uses where ${where} has ${move.uses.length}`;
        return { texts: [`Script: the conversation does not follow the script: it has ${count}.`], uses: [] };
      }
      consumed += 1;
      seen.push(recorded);
      last = recorded.at(-1) ?? null;
      // What was said so far was said with the reply that is on record.
      texts = [];
    }
  }
  const extra = replies.length - consumed;
  const end =
    extra === 0
      ? `Script: finished, ${steps.length} of ${steps.length} steps.`
      : `Script: the conversation does not follow the script: it has ${extra} more replies with tool uses.`;
  return { texts: [...texts, end], uses: [] };
}

const HELP =
  'This is the `script` provider: it is no language model, it carries out a list of steps in YAML, such as\n' +
  '- bash: echo hello > note.txt\n- computer: {action: screenshot}\n- say: The note is written.';

/**
 * The next reply of a script, from the conversation and the offered tools alone: the same request always gives the same
 * reply, so it does not matter who asks, how often, or after which crash.
 */
export function nextReply(request: ModelRequest): ScriptReply {
  const conversation = readConversation(request.messages);
  if (conversation === null)
    return { texts: [`There is no text to run.\n\n${HELP}`], uses: [], position: [0, 0] };
  const done = conversation.replies.reduce((sum, reply) => sum + reply.length, 0);
  const position = [conversation.position, done] as const;
  try {
    return { ...walk(parseScript(conversation.script), conversation, offerOf(request)), position };
  } catch (error) {
    if (!(error instanceof ScriptProblem)) throw error;
    return {
      texts: [`Your message cannot be run as a script: ${error.message}\n\n${HELP}`],
      uses: [],
      position,
    };
  }
}
