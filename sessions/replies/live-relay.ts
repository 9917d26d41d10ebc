import { RELAY_BYTES, type Relay } from '@steadyhand/store';
import { fragments, type LivePart } from './live-part.ts';
import type { LiveReplies, LiveReply } from './live-replies.ts';

/** How often a server says which sessions its streams follow, and how long it is believed. */
const RENEW_MS = 10_000;
const BELIEVED_MS = 2.5 * RENEW_MS;
const SESSIONS_PER_MESSAGE = 100;
/** How long parts are gathered: what a model writes in this time goes as one message. */
const GATHER_MS = 50;
/** Characters of a fragment. JSON writes six bytes for some characters, so that any fragment fits into a message. */
const FRAGMENT = 1000;
/** What a message's other fields take at most. */
const FRAME_BYTES = 400;

const BEGUN = 'live.begun';
const RENEWED = 'live.renewed';
const PARTS = 'live.parts';

/** A piece of a reply: its fragments from number `from` on. `ended` says that no more follow. */
interface Message {
  readonly session: string;
  readonly startId: string;
  readonly from: number;
  readonly parts: readonly LivePart[];
  readonly ended: boolean;
}

/** A session that another server follows, and how much of the present reply was told. */
interface Follower {
  until: number;
  startId: string | undefined;
  parts: number;
  fragments: number;
  timer: NodeJS.Timeout | undefined;
  readonly unsubscribe: () => void;
}

/** A reply that another process receives from its model. */
interface Followed {
  readonly startId: string;
  readonly writer: ReturnType<LiveReplies['begin']>;
  count: number;
}

/**
 * Carries live replies from the process that receives them from the model to those with streams that show them. Servers say
 * which sessions they follow, so a reply that nobody follows costs nothing. What gets lost is not sent again: the reply's
 * event comes in any case.
 */
export class LiveRelay {
  readonly #live: LiveReplies;
  readonly #relay: Relay;
  readonly #followers = new Map<string, Follower>();
  readonly #followed = new Map<string, Followed>();
  /** The sessions that streams of this process follow. */
  readonly #wanted = new Set<string>();
  readonly #ends: readonly (() => void)[];

  constructor(live: LiveReplies, relay: Relay) {
    this.#live = live;
    this.#relay = relay;
    const timer = setInterval(() => this.#renew(), RENEW_MS).unref();
    this.#ends = [
      relay.hear(BEGUN, (session) => this.#follow(session, true)),
      relay.hear(RENEWED, (text) => text.split(' ').forEach((session) => this.#follow(session, false))),
      relay.hear(PARTS, (text) => this.#receive(JSON.parse(text) as Message)),
      live.observe((session, isFollowed) => this.#want(session, isFollowed)),
      () => clearInterval(timer),
    ];
  }

  close(): void {
    for (const end of this.#ends) end();
    for (const session of this.#followers.keys()) this.#leave(session);
  }

  #want(session: string, isFollowed: boolean): void {
    if (isFollowed) {
      this.#wanted.add(session);
      this.#relay.send(BEGUN, session);
      return;
    }
    this.#wanted.delete(session);
    this.#followed.get(session)?.writer.end();
    this.#followed.delete(session);
  }

  #renew(): void {
    const wanted = [...this.#wanted];
    for (let at = 0; at < wanted.length; at += SESSIONS_PER_MESSAGE) {
      this.#relay.send(RENEWED, wanted.slice(at, at + SESSIONS_PER_MESSAGE).join(' '));
    }
    const now = performance.now();
    for (const [session, { until }] of this.#followers) if (until < now) this.#leave(session);
  }

  /** @param isNew the server has just begun to follow the session: it is told the present reply from its start */
  #follow(session: string, isNew: boolean): void {
    const until = performance.now() + BELIEVED_MS;
    const known = this.#followers.get(session);
    if (known === undefined) {
      const unsubscribe = this.#live.relay(session, () => this.#tellSoon(session));
      const told = { startId: undefined, parts: 0, fragments: 0 };
      this.#followers.set(session, { until, ...told, timer: undefined, unsubscribe });
    } else {
      known.until = until;
      if (isNew) known.startId = undefined;
    }
    this.#tellSoon(session);
  }

  #leave(session: string): void {
    const follower = this.#followers.get(session);
    clearTimeout(follower?.timer);
    this.#followers.delete(session);
    follower?.unsubscribe();
  }

  #tellSoon(session: string): void {
    const follower = this.#followers.get(session);
    if (follower === undefined) return;
    follower.timer ??= setTimeout(() => {
      follower.timer = undefined;
      const reply = this.#live.current(session);
      const isOwn = reply?.startId !== this.#followed.get(session)?.startId;
      if (reply !== undefined && isOwn) this.#tell(session, follower, reply);
    }, GATHER_MS).unref();
  }

  #tell(session: string, follower: Follower, { startId, parts, hasEnded }: LiveReply): void {
    if (follower.startId !== startId) Object.assign(follower, { startId, parts: 0, fragments: 0 });
    let lot: LivePart[] = [];
    let bytes = FRAME_BYTES;
    const send = (ended: boolean): void => {
      const message: Message = { session, startId, from: follower.fragments, parts: lot, ended };
      this.#relay.send(PARTS, JSON.stringify(message));
      follower.fragments += lot.length;
      lot = [];
      bytes = FRAME_BYTES;
    };
    for (const part of parts.slice(follower.parts).flatMap((each) => fragments(each, FRAGMENT))) {
      const size = Buffer.byteLength(JSON.stringify(part)) + 1;
      if (bytes + size > RELAY_BYTES) send(false);
      lot.push(part);
      bytes += size;
    }
    follower.parts = parts.length;
    if (lot.length > 0 || hasEnded) send(hasEnded);
  }

  #receive({ session, startId, from, parts, ended }: Message): void {
    if (!this.#wanted.has(session)) return;
    let followed = this.#followed.get(session);
    if (followed?.startId !== startId) {
      if (from > 0) return;
      followed?.writer.end();
      followed = { startId, writer: this.#live.begin(session, startId, true), count: 0 };
      this.#followed.set(session, followed);
    }
    // What is in between is lost, so nothing after it can be shown.
    if (from > followed.count) return;
    for (const part of parts.slice(followed.count - from)) {
      followed.writer.add(part);
      followed.count += 1;
    }
    if (ended) followed.writer.end();
  }
}
