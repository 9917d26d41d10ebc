import type { ToolParam } from '../../api/api-types.ts';
import type { ModelRequest } from '../../api/request.ts';
import { COMPUTER_TOOLSET_NAME, isNamed, isToolset, namesOf } from '../../tools/tool-names.ts';
import type { Outcome } from './conversation.ts';
import type { ScreenText } from './screen-text.ts';
import type { ToolNeed } from './script.ts';

/** A tool use with the client's name for the tool. */
export interface NamedUse {
  readonly name: string;
  /** The toolset's name, where the use is of a member. */
  readonly toolset_name?: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a step does next, given the outcomes so far. */
export type Decision =
  | { readonly kind: 'done'; readonly says: readonly string[] }
  | { readonly kind: 'failed'; readonly why: string }
  | {
      readonly kind: 'use';
      readonly says: readonly string[];
      readonly uses: readonly NamedUse[];
      /** A text that follows the step's name, such as about what is clicked. */
      readonly note?: string;
      /** The time to wait before the reply. */
      readonly pauseMs?: number;
    };

export const DONE: Decision = { kind: 'done', says: [] };
export const failed = (why: string): Decision => ({ kind: 'failed', why });

/** The state in which a step decides. */
export interface Situation {
  /** The outcomes of this step's replies so far. */
  readonly seen: readonly (readonly Outcome[])[];
  /** The newest outcome of any step. */
  readonly last: Outcome | null;
  readonly offer: Offer;
  /** Undefined where the server has no text recognition. */
  readonly screenText: ScreenText | undefined;
}

/** The offered tools, and whether one reply may use several. */
export interface Offer {
  readonly tools: readonly ToolParam[];
  readonly parallel: boolean;
}

export function offerOf({ tools, tool_choice: choice }: ModelRequest): Offer {
  const disabled =
    choice !== undefined && choice.type !== 'none' && choice.disable_parallel_tool_use === true;
  return { tools: choice?.type === 'none' ? [] : tools, parallel: !disabled };
}

export function findTool(need: ToolNeed, { tools }: Offer): ToolParam | undefined {
  return tools.find((tool) =>
    'name' in need
      ? isNamed(tool) && tool.name === need.name && (tool.type == null || tool.type === 'custom')
      : tool.type?.startsWith(`${need.family}_`),
  );
}

/**
 * Turns an input in the form of the tools with an `action` into a use of the offered tool; of a toolset the action is
 * the member's name. A text says why that is impossible.
 */
export function useOf(tool: ToolParam, input: NamedUse['input']): NamedUse | string {
  if (isNamed(tool)) return { name: tool.name, input };
  if (!isToolset(tool)) return 'the tool is one that only a model can use';
  const { action, ...rest } = input;
  if (typeof action !== 'string') return 'the input names no `action`';
  if (!namesOf(tool).includes(action)) return `the toolset offers no \`${action}\``;
  return { name: action, toolset_name: COMPUTER_TOOLSET_NAME, input: rest };
}

export function notOffered(need: ToolNeed): Decision {
  const wanted = 'name' in need ? `tool named \`${need.name}\`` : `\`${need.family}_...\` tool`;
  return failed(`the request offers no ${wanted}`);
}

/** The reason why a step cannot continue after an outcome, or null. */
export function faultOf({ missing, isError, text }: Outcome, which = 'the tool'): string | null {
  if (missing) return `${which} was never answered`;
  return isError ? `${which} answered with an error: ${excerpt(text)}` : null;
}

const EXCERPT = 600;

export function excerpt(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '(no text)';
  return trimmed.length <= EXCERPT ? trimmed : `${trimmed.slice(0, EXCERPT)} ...`;
}
