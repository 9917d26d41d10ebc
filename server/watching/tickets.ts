import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { OnceOnly } from '@steadyhand/store';

/** How long a ticket is good for: a page asks for one and connects at once. */
const LIFE_MS = 30_000;

/** What a ticket lets its bearer do, once. */
export interface Pass {
  readonly sandbox: string;
  /** The takeover in whose name the viewer acts; null for a viewer that only watches. */
  readonly takeover: string | null;
}

const content = z.strictObject({
  sandbox: z.string(),
  takeover: z.string().nullable(),
  until: z.int(),
  nonce: z.string(),
});

interface TicketOptions {
  /** The key that tickets are signed with. */
  readonly ticketKey: string;
  readonly onceOnly: OnceOnly;
  /** Milliseconds since 1970; default Date.now. */
  readonly now?: (() => number) | undefined;
}

/**
 * Browsers can send no key with a WebSocket, and a key in an address would end up in logs and histories: a request with the
 * key is given a ticket, good for one connection within 30 s, at any server with the same store. It says what it is for and is
 * signed, so that nothing is kept of it before it is used.
 */
export class Tickets {
  readonly #key: string;
  readonly #onceOnly: OnceOnly;
  readonly #now: () => number;

  constructor({ ticketKey, onceOnly, now = Date.now }: TicketOptions) {
    this.#key = ticketKey;
    this.#onceOnly = onceOnly;
    this.#now = now;
  }

  issue({ sandbox, takeover }: Pass): { readonly ticket: string; readonly expires_at: string } {
    const until = this.#now() + LIFE_MS;
    const said = { sandbox, takeover, until, nonce: randomBytes(12).toString('base64url') };
    const text = Buffer.from(JSON.stringify(said)).toString('base64url');
    const ticket = `${text}.${this.#sign(text).toString('base64url')}`;
    return { ticket, expires_at: new Date(until).toISOString() };
  }

  /** What the ticket stands for; null when it was never issued, was used, or has expired. */
  async redeem(ticket: string): Promise<Pass | null> {
    const [text = '', mac = ''] = ticket.split('.');
    const expected = this.#sign(text);
    const sent = Buffer.from(mac, 'base64url');
    if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return null;
    const { sandbox, takeover, until, nonce } = content.parse(
      JSON.parse(Buffer.from(text, 'base64url').toString()),
    );
    if (until <= this.#now() || !(await this.#onceOnly.take(`ticket/${nonce}`, until))) return null;
    return { sandbox, takeover };
  }

  #sign(text: string): Buffer {
    return createHmac('sha256', this.#key).update(`viewer's ticket\n${text}`).digest();
  }
}
