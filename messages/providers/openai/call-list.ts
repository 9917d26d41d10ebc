import { ProviderUnavailableError } from '../../api/errors.ts';
import type { CallDelta } from './chat-delta.ts';
import { readArguments } from './tool-arguments.ts';

/** A tool call as far as it has come. */
export interface PendingCall {
  readonly index: number | undefined;
  id: string;
  name: string;
  arguments: string;
  /** Its block is closed: nothing may come any more. */
  closed: boolean;
}

/**
 * The tool calls of a reply, put together from their pieces. Servers differ: most number the calls and send a call's id
 * and name once; some repeat both, some give each piece a new id, some number every call 0, some give no number.
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

  /** A piece with a name and an id of its own (or no number), after a call that has all its arguments, begins another. */
  #isAnother(known: PendingCall, { index, id, name }: CallDelta): boolean {
    const hasOwnId = id !== '' && id !== known.id;
    return name !== '' && (hasOwnId || index === undefined) && isComplete(known);
  }
}

/** Whether the arguments are a whole object, so that no more can come. */
export function isComplete(call: PendingCall): boolean {
  return call.name !== '' && readArguments(call.arguments) !== undefined;
}
