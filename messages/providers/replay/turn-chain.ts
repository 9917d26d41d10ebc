import type { Message } from '../../api/api-types.ts';
import {
  hashOfText,
  type PlainMessage,
  type PlainRequest,
  replyMessage,
  stableText,
} from './plain-request.ts';
import type { RecordedTurn } from './recording.ts';

/** The chain remembers the ends of this many conversations. The next turn of an older one is written whole. */
const REMEMBERED = 10_000;

/** Shortens turns to what is new since the turn that each continues. */
export class TurnChain {
  readonly #ids = new Set<string>();
  /** Turns by a hash of their messages and their reply, with which the next request of their conversation begins. */
  readonly #ends = new Map<string, { readonly id: string; readonly fields: string }>();

  /** The texts of messages, which the turns of a conversation share. */
  readonly #texts = new WeakMap<PlainMessage, string>();

  /** Makes the same hash of the whole request as `hashOf`. */
  idOf(request: PlainRequest): string {
    const members = Object.keys(request)
      .toSorted()
      .map((name) => {
        const text =
          name === 'messages'
            ? this.#textOf(request.messages)
            : stableText(request[name as keyof PlainRequest]);
        return `${JSON.stringify(name)}:${text}`;
      });
    return hashOfText(`{${members.join(',')}}`);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string, { messages, ...request }: PlainRequest, reply: Message): RecordedTurn {
    const fields = stableText(request);
    const replies = messages.findLastIndex(({ role }) => role === 'assistant');
    const before =
      replies < 0 ? undefined : this.#ends.get(hashOfText(this.#textOf(messages.slice(0, replies + 1))));
    this.#ids.add(id);
    // After an empty reply the user's next message joins the one before, so no request begins with these messages.
    if (reply.content.length > 0) this.#remember(id, [...messages, replyMessage(reply)], fields);
    return {
      id,
      ...(before === undefined ? {} : { after: before.id }),
      ...(before?.fields === fields ? {} : { request }),
      messages: before === undefined ? messages : messages.slice(replies + 1),
      reply,
    };
  }

  #textOf(messages: readonly PlainMessage[]): string {
    const texts = messages.map((message) => {
      const text = this.#texts.get(message) ?? stableText(message);
      this.#texts.set(message, text);
      return text;
    });
    return `[${texts.join(',')}]`;
  }

  #remember(id: string, messages: readonly PlainMessage[], fields: string): void {
    this.#ends.set(hashOfText(this.#textOf(messages)), { id, fields });
    for (const oldest of this.#ends.keys()) {
      if (this.#ends.size <= REMEMBERED) break;
      this.#ends.delete(oldest);
    }
  }
}
