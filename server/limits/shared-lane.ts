import { type RateAmounts, type Rates, STREAM_LEASE_MS } from '@steadyhand/store';
import type { KeyLimits, LimitedKind } from '../auth/client-key.ts';
import type { TokenBucket } from './token-bucket.ts';

/** How long what replies have used is gathered before the other servers learn of it. */
const GATHER_MS = 500;
const RENEW_MS = STREAM_LEASE_MS / 3;

const NOTHING: RateAmounts = { requests: 0, inputTokens: 0, outputTokens: 0 };

interface SharedLaneOptions {
  readonly key: string;
  readonly limits: KeyLimits;
  /** They are set to the shared levels with every answer, and are an estimate in between. */
  readonly buckets: Readonly<Partial<Record<LimitedKind, TokenBucket>>>;
  readonly rates: Rates;
}

/**
 * The levels of a key's lane that all servers share. One request is under way at a time, so that the answers come in order. What is
 * used by a reply is told afterwards, within half a second or with the next request.
 */
export class SharedLane {
  readonly #options: SharedLaneOptions;
  #used: RateAmounts = NOTHING;
  #turn: Promise<unknown> = Promise.resolve();
  #open = 0;
  #elsewhere = 0;
  /** The open streams that the store was last told of. */
  #told = 0;
  #timer: NodeJS.Timeout | undefined;
  #due = 0;

  constructor(options: SharedLaneOptions) {
    this.#options = options;
  }

  /** Streams of all servers, as far as this one knows. */
  get streams(): number {
    return this.#open + this.#elsewhere;
  }

  /** Whether the request was let in. Rejects when the store cannot be asked. */
  async ask(need: RateAmounts, take: RateAmounts, stream: boolean): Promise<boolean> {
    return this.#exchange({ need, take, stream });
  }

  /** Learns the present levels. */
  async refresh(): Promise<void> {
    await this.#exchange();
  }

  use(kind: LimitedKind, amount: number): void {
    if (amount === 0) return;
    this.#used = { ...this.#used, [kind]: this.#used[kind] + amount };
    this.#tellWithin(GATHER_MS);
  }

  openStream(): void {
    this.#open += 1;
    this.#tellWithin(RENEW_MS);
  }

  closeStream(): void {
    this.#open -= 1;
    this.#tellWithin(GATHER_MS);
  }

  #exchange(ask?: Parameters<Rates['take']>[0]['ask']): Promise<boolean> {
    const before = this.#turn;
    const exchanged = (async () => {
      await before.catch(() => undefined);
      return this.#send(ask);
    })();
    this.#turn = exchanged;
    return exchanged;
  }

  async #send(ask: Parameters<Rates['take']>[0]['ask']): Promise<boolean> {
    const { key, limits, buckets, rates } = this.#options;
    const { streams: limit, ...perMinute } = limits;
    const used = this.#used;
    this.#used = NOTHING;
    try {
      const streams = { open: this.#open, limit };
      const state = await rates.take({ key, limits: perMinute, used, streams, ask });
      for (const kind of KINDS) buckets[kind]?.set(state.levels[kind] - this.#used[kind]);
      this.#elsewhere = state.elsewhere;
      this.#told = streams.open;
      if (state.admitted && ask?.stream === true) {
        this.#told += 1;
        this.openStream();
      }
      return state.admitted;
    } catch (error) {
      this.#used = sum(used, this.#used);
      throw error;
    }
  }

  /** What was used, and which streams are open, is told by then even if no request comes. */
  #tellWithin(ms: number): void {
    const due = performance.now() + ms;
    if (this.#timer !== undefined && this.#due <= due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#hasNews()) return;
      this.refresh()
        .catch(() => undefined)
        .finally(() => this.#hasNews() && this.#tellWithin(RENEW_MS));
    }, ms).unref();
  }

  #hasNews(): boolean {
    return this.#open > 0 || this.#told > 0 || KINDS.some((kind) => this.#used[kind] !== 0);
  }
}

const KINDS = ['requests', 'inputTokens', 'outputTokens'] as const satisfies readonly LimitedKind[];

function sum(one: RateAmounts, other: RateAmounts): RateAmounts {
  return {
    requests: one.requests + other.requests,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}
