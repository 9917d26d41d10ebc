import type { ToolParam } from '../../api/api-types.ts';
import type { ModelRequest } from '../../api/request.ts';
import { COMPUTER_TOOLSET_NAME, isNamed, isToolset, namesOf } from '../../tools/tool-names.ts';
import type { Outcome } from './conversation.ts';
import type { ScreenText } from './screen-text.ts';
import type { ToolNeed } from './script.ts';

/** A tool use under the name that the client gave the tool. */
export interface NamedUse {
  readonly name: string;
  /** Where the use is of a toolset's member. */
  readonly toolset_name?: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a step wants, given what came back for it so far. */
export type Decision =
  | { readonly kind: 'done'; readonly says: readonly string[] }
  | { readonly kind: 'failed'; readonly why: string }
  | {
      readonly kind: 'use';
      readonly says: readonly string[];
      readonly uses: readonly NamedUse[];
      /** Stands behind the step's name, e.g. what is clicked. */
      readonly note?: string;
      /** How long to wait before the reply is given. */
      readonly pauseMs?: number;
    };

export const DONE: Decision = { kind: 'done', says: [] };
export const failed = (why: string): Decision => ({ kind: 'failed', why });

/** Where a step stands. */
export interface Situation {
  /** The outcomes of this step's own replies so far. */
  readonly seen: readonly (readonly Outcome[])[];
  /** The newest outcome of any step. */
  readonly last: Outcome | null;
  readonly offer: Offer;
  /** Absent where nothing recognises text. */
  readonly screenText: ScreenText | undefined;
}

/** The tools on offer, and whether several may be used in one reply. */
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
 * An input in the form of the tools with an `action` as a use of the tool that is on offer: of a toolset the action is the
 * member's name. A text says why there is none.
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

/** Why an outcome is none that a step can go on from, or null. */
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
