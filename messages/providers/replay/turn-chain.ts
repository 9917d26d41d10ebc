import type { Message } from '../../api/api-types.ts';
import {
  hashOfText,
  type PlainMessage,
  type PlainRequest,
  replyMessage,
  stableText,
} from './plain-request.ts';
import type { RecordedTurn } from './recording.ts';

/** Conversations that the chain remembers the ends of; an older one is then written whole. */
const REMEMBERED = 10_000;

/** Writes turns one after the other, each with what is new since the turn that it goes on from. */
export class TurnChain {
  readonly #ids = new Set<string>();
  /** Turns by a hash of their messages and their reply: what the next request of their conversation begins with. */
  readonly #ends = new Map<string, { readonly id: string; readonly fields: string }>();

  /** Texts of messages: a conversation's are the same in each of its turns. */
  readonly #texts = new WeakMap<PlainMessage, string>();

  /** A hash of the whole request, the same as `hashOf` makes. */
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
    // After a reply that says nothing the user's next words join those before it: nothing begins with them.
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
