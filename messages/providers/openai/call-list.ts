import { ProviderUnavailableError } from '../../api/errors.ts';
import type { CallDelta } from './chat-delta.ts';
import { readArguments } from './tool-arguments.ts';

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
