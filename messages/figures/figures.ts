import { contactOf, type Contact } from './contact.ts';

/** How many of the newest requests latencies are told of. */
const SAMPLES = 200;
/** How many of the newest errors are kept. */
const ERRORS = 10;
/** How many models are counted by name; a pattern may stand for any number of names. */
const MODELS = 200;

/** Tokens as replies told them. */
export interface TokenCounts {
  readonly input: number;
  readonly output: number;
  readonly cache_write: number;
  readonly cache_read: number;
}

export interface ModelUse {
  readonly requests: number;
  readonly failed: number;
  readonly tokens: TokenCounts;
}

export interface SeenError {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The API's type, e.g. `overloaded_error`. */
  readonly type: string;
  readonly message: string;
  /** The client's name of the model; null where the list of models was asked for. */
  readonly model: string | null;
}

/** Of the newest requests that were answered, in milliseconds; null without any. */
export interface Latency {
  readonly samples: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  /** Until the first piece of a streamed reply. */
  readonly first_token_p50_ms: number | null;
  readonly first_token_p95_ms: number | null;
}

export interface FiguresNow extends ModelUse {
  /** Requests whose client left before their end. */
  readonly cancelled: number;
  readonly under_way: number;
  readonly latency: Latency;
  /** Newest first. */
  readonly errors: readonly SeenError[];
  readonly contact: Contact | null;
  readonly models: ReadonlyMap<string, ModelUse>;
}

/** One request that is under way. Exactly one of its ends is called, once. */
export interface RequestUnderWay {
  /** The first piece of the reply is there. */
  first(): void;
  answered(tokens: TokenCounts): void;
  failed(error: unknown, tokens?: TokenCounts): void;
  left(tokens?: TokenCounts): void;
}

const NO_TOKENS: TokenCounts = { input: 0, output: 0, cache_write: 0, cache_read: 0 };
const NO_USE: ModelUse = { requests: 0, failed: 0, tokens: NO_TOKENS };

/** What one provider was asked since the process started. It takes the same memory however much that was. */
export class ProviderFigures {
  readonly #now: () => number;
  readonly #models = new Map<string, ModelUse>();
  #sum = NO_USE;
  #cancelled = 0;
  #underWay = 0;
  #samples: readonly { readonly ms: number; readonly firstMs: number | null }[] = [];
  #errors: readonly SeenError[] = [];
  #contact: Contact | null = null;

  /** @param now milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a request that begins. */
  begin(model: string): RequestUnderWay {
    const began = this.#now();
    let firstMs: number | null = null;
    this.#underWay += 1;
    const end = (failed: number, tokens: TokenCounts): void => {
      this.#underWay -= 1;
      this.#count(model, failed, tokens);
    };
    return {
      first: () => {
        firstMs ??= this.#now() - began;
      },
      answered: (tokens) => {
        end(0, tokens);
        this.#samples = [...this.#samples, { ms: this.#now() - began, firstMs }].slice(-SAMPLES);
        this.#reached();
      },
      failed: (error, tokens = NO_TOKENS) => {
        end(1, tokens);
        this.missed(error, model);
      },
      left: (tokens = NO_TOKENS) => {
        end(0, tokens);
        this.#cancelled += 1;
      },
    };
  }

  /** The provider has listed its models. It may do so while it still asks for fewer requests to them. */
  listed(): void {
    const { until } = this.#contact ?? { until: null };
    if (until === null || until <= this.#now()) this.#reached();
  }

  #reached(): void {
    this.#contact = { state: 'ok', at: this.#now(), until: null, reason: null };
  }

  /** The provider answered with an error, or not at all. */
  missed(error: unknown, model: string | null): void {
    const at = this.#now();
    const contact = contactOf(error, at);
    this.#contact = contact;
    const message = error instanceof Error ? error.message : String(error);
    const type = (error as { readonly type?: unknown } | null)?.type;
    const seen = { at, type: typeof type === 'string' ? type : 'api_error', message, model };
    this.#errors = [seen, ...this.#errors].slice(0, ERRORS);
  }

  now(): FiguresNow {
    const firsts = this.#samples.flatMap(({ firstMs }) => (firstMs === null ? [] : [firstMs]));
    const all = this.#samples.map(({ ms }) => ms);
    return {
      ...this.#sum,
      cancelled: this.#cancelled,
      under_way: this.#underWay,
      latency: {
        samples: all.length,
        p50_ms: percentile(all, 0.5),
        p95_ms: percentile(all, 0.95),
        first_token_p50_ms: percentile(firsts, 0.5),
        first_token_p95_ms: percentile(firsts, 0.95),
      },
      errors: this.#errors,
      contact: this.#contact,
      models: new Map(this.#models),
    };
  }

  #count(model: string, failed: number, tokens: TokenCounts): void {
    this.#sum = added(this.#sum, failed, tokens);
    const held = this.#models.get(model);
    if (held === undefined && this.#models.size >= MODELS) return;
    this.#models.set(model, added(held ?? NO_USE, failed, tokens));
  }
}

function added(use: ModelUse, failed: number, tokens: TokenCounts): ModelUse {
  return {
    requests: use.requests + 1,
    failed: use.failed + failed,
    tokens: {
      input: use.tokens.input + tokens.input,
      output: use.tokens.output + tokens.output,
      cache_write: use.tokens.cache_write + tokens.cache_write,
      cache_read: use.tokens.cache_read + tokens.cache_read,
    },
  };
}

/** The value that this share of the others does not exceed (nearest rank); null without any. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}
