import { randomBytes } from 'node:crypto';

/** How long a ticket is good for: a page asks for one and connects at once. */
const LIFE_MS = 30_000;
const MAX_TICKETS = 10_000;

/** What a ticket lets its bearer do, once. */
export interface Pass {
  readonly sandbox: string;
  /** The takeover in whose name the viewer acts; null for a viewer that only watches. */
  readonly takeover: string | null;
}

/**
 * Browsers can send no key with a WebSocket, and a key in an address would end up in logs and histories: a request with the
 * key is given a ticket, good for one connection within 30 s, at this server.
 */
export class Tickets {
  readonly #passes = new Map<string, Pass & { readonly until: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  issue(pass: Pass): { readonly ticket: string; readonly expires_at: string } {
    const now = this.#now();
    // The tickets stand in the order of their ends, so the first that still holds ends the search.
    for (const [ticket, { until }] of this.#passes) {
      if (until > now && this.#passes.size < MAX_TICKETS) break;
      this.#passes.delete(ticket);
    }
    const ticket = randomBytes(24).toString('base64url');
    const until = now + LIFE_MS;
    this.#passes.set(ticket, { ...pass, until });
    return { ticket, expires_at: new Date(until).toISOString() };
  }

  /** What the ticket stands for; null when it was never issued, was used, or has expired. */
  redeem(ticket: string): Pass | null {
    const pass = this.#passes.get(ticket);
    this.#passes.delete(ticket);
    return pass === undefined || pass.until <= this.#now() ? null : pass;
  }
}
