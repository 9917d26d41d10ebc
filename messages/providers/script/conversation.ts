import type {
  ContentBlockParam,
  MessageParam,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from '../../api/api-types.ts';
import { isRecord } from '../../api/is-record.ts';

/** The outcome of a tool use of the assistant. */
export interface Outcome {
  /** The `action` in its input, or the name of its toolset's member. */
  readonly action: unknown;
  /** The text of the result. */
  readonly text: string;
  /** The last picture of the result. */
  readonly picture: Picture | null;
  readonly isError: boolean;
  /** Whether the use was never answered. */
  readonly missing: boolean;
}

/** A picture in base64, or the kind of its source, such as a URL. */
export type Picture = { readonly data: string } | { readonly source: string };

/** A reply of the assistant that asked for tools. */
interface Reply {
  readonly outcomes: readonly Outcome[];
  /** The number of the step that its text names, or null. */
  readonly step: number | null;
}

export interface Conversation {
  /** The newest text that the user wrote. */
  readonly script: string;
  /** Index of its message. */
  readonly position: number;
  /** The replies since then that asked for tools. */
  readonly replies: readonly Reply[];
}

/**
 * Makes the mark that follows `Script: ` in the last text of each reply with tool uses. It tells later requests which
 * step the reply belongs to, even when its pictures are gone.
 */
export function stepMark(number: number, total: number): string {
  return `step ${number} of ${total}`;
}

const STEP_MARK = /^Script: step (\d+) of \d+ /gm;

/** A note to the model beside results, such as about a takeover, is not a text of the user. */
const SYSTEM_NOTE = /^<system>[^]*<\/system>$/;

/** Clients add this note to a tool result that they completed after an interruption; it is not a text of the user. */
const INTERRUPTION_NOTE = '(user stopped or interrupted and wrote the following)';

function blocksOf({ content = [] }: MessageParam): readonly ContentBlockParam[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content as ContentBlockParam[]);
}

/** The last text of a user's message, or null where it holds only results and pictures. */
function ownText(message: MessageParam): string | null {
  if (message.role !== 'user') return null;
  const texts = blocksOf(message).flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const isTheirs = (text: string): boolean =>
    text !== '' && text !== INTERRUPTION_NOTE && !SYSTEM_NOTE.test(text);
  return texts.findLast((text) => isTheirs(text.trim())) ?? null;
}

function resultText({ content = '' }: ToolResultBlockParam): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function resultPicture({ content = '' }: ToolResultBlockParam): Picture | null {
  if (typeof content === 'string') return null;
  const image = content.findLast((block) => block.type === 'image');
  if (image === undefined) return null;
  const { source } = image;
  return source.type === 'base64' ? { data: source.data } : { source: source.type };
}

function markedStep(text: string): number | null {
  const number = [...text.matchAll(STEP_MARK)].at(-1)?.[1];
  return number === undefined ? null : Number(number);
}

function resultsById(messages: readonly MessageParam[]): Map<string, ToolResultBlockParam> {
  const results = new Map<string, ToolResultBlockParam>();
  for (const message of messages) {
    for (const block of blocksOf(message)) {
      if (block.type === 'tool_result') results.set(block.tool_use_id, block);
    }
  }
  return results;
}

/** Reads the script and the replies since then; null where the user has written nothing. */
export function readConversation(messages: readonly MessageParam[]): Conversation | null {
  const position = messages.findLastIndex((message) => ownText(message) !== null);
  const newest = messages[position];
  const script = newest === undefined ? null : ownText(newest);
  if (script === null) return null;

  const since = messages.slice(position + 1);
  const results = resultsById(since);
  const turns: { text: string; outcomes: Outcome[] }[] = [];
  let previous: MessageParam['role'] | undefined;
  for (const message of since) {
    if (message.role === 'system') continue;
    // Neighbouring messages of one role are one turn, as everywhere in the API.
    if (message.role === 'assistant') {
      if (previous !== 'assistant') turns.push({ text: '', outcomes: [] });
      const turn = turns.at(-1);
      for (const block of blocksOf(message)) {
        if (block.type === 'tool_use') turn?.outcomes.push(outcomeOf(block, results.get(block.id)));
        else if (block.type === 'text' && turn !== undefined) turn.text += `${block.text}\n`;
      }
    }
    previous = message.role;
  }
  const replies = turns
    .filter(({ outcomes }) => outcomes.length > 0)
    .map(({ text, outcomes }): Reply => ({ outcomes, step: markedStep(text) }));
  return { script, position, replies };
}

function actionOf({ input, name, toolset_name: toolset }: ToolUseBlockParam): unknown {
  if (toolset != null) return name;
  return isRecord(input) ? input['action'] : undefined;
}

function outcomeOf(use: ToolUseBlockParam, result: ToolResultBlockParam | undefined): Outcome {
  return {
    action: actionOf(use),
    text: result === undefined ? '' : resultText(result),
    picture: result === undefined ? null : resultPicture(result),
    isError: result?.is_error === true,
    missing: result === undefined,
  };
}
