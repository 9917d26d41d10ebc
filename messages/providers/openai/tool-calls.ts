import type { MessageParam } from '../../api/api-types.ts';
import { ProviderUnavailableError } from '../../api/errors.ts';
import { derivedId } from '../derived-id.ts';
import type { CallDelta } from './chat-delta.ts';
import { readArguments } from './tool-arguments.ts';

/** The ids that the API allows. */
const ALLOWED = /^[a-zA-Z0-9_-]{1,128}$/;

function idsIn(messages: readonly MessageParam[]): Set<string> {
  const ids = new Set<string>();
  for (const { content } of messages) {
    if (typeof content !== 'object') continue;
    for (const block of content) if (block.type === 'tool_use') ids.add(block.id);
  }
  return ids;
}

/**
 * Gives ids to the tool uses of a reply. The upstream's ids stay where the API allows them, so that the upstream
 * recognizes its calls. Some servers number the calls of every reply anew, but ids must be unique in a conversation.
 */
export class ToolUseIds {
  readonly #replyId: string;
  readonly #taken: Set<string>;

  constructor(replyId: string, messages: readonly MessageParam[]) {
    this.#replyId = replyId;
    this.#taken = idsIn(messages);
  }

  take(own: string, index: number): string {
    const isOwn = ALLOWED.test(own) && !this.#taken.has(own);
    const id = isOwn ? own : derivedId('toolu_', [this.#replyId, index]);
    this.#taken.add(id);
    return id;
  }
}

/** A tool call of which parts have come. */
export interface PendingCall {
  readonly index: number | undefined;
  id: string;
  name: string;
  arguments: string;
  /** Whether its block is closed, so that no more parts may come. */
  closed: boolean;
}

/**
 * Joins the parts of a reply's tool calls. Most servers number the calls and send a call's id and name once. Some
 * repeat both, some give each part a new id, some number every call 0, and some give no number.
 */
export class CallList {
  readonly calls: PendingCall[] = [];

  take(delta: CallDelta): void {
    const call = this.#callOf(delta);
    if (delta.arguments !== '' && call.closed) {
      throw new ProviderUnavailableError(
        `the upstream went on with the arguments of \`${call.name}\` after their end`,
      );
    }
    if (call.id === '') call.id = delta.id;
    if (call.name === '') call.name = delta.name;
    call.arguments += delta.arguments;
  }

  #callOf(delta: CallDelta): PendingCall {
    const known =
      delta.index === undefined
        ? this.calls.at(-1)
        : this.calls.findLast((call) => call.index === delta.index);
    if (known !== undefined && !this.#isAnother(known, delta)) return known;
    const call = { index: delta.index, id: '', name: '', arguments: '', closed: false };
    this.calls.push(call);
    return call;
  }

  /** A part with a name and a new id (or without a number) begins another call if the call before it is complete. */
  #isAnother(known: PendingCall, { index, id, name }: CallDelta): boolean {
    const hasOwnId = id !== '' && id !== known.id;
    return name !== '' && (hasOwnId || index === undefined) && isComplete(known);
  }
}

/** Whether the arguments are a whole object, so that no more parts can come. */
export function isComplete(call: PendingCall): boolean {
  return call.name !== '' && readArguments(call.arguments) !== undefined;
}
