/** One of the things that a process needs. */
export interface ReadinessCheck {
  /** Such as `temporal`. */
  readonly name: string;
  /** Whether the process counts as unready without it; default true. Without it the check is told, and nothing follows. */
  readonly isRequired?: boolean;
  /** Rejects with the reason why it cannot be used now. */
  readonly look: (signal: AbortSignal) => Promise<unknown>;
}

export interface CheckResult {
  readonly ok: boolean;
  readonly required: boolean;
  readonly reason: string | null;
  readonly ms: number;
}

/** Whether a process takes work, and what it looked at. */
export interface ReadinessReport {
  readonly ready: boolean;
  /** Why it is not ready; null where it is. */
  readonly reason: string | null;
  readonly checks: Readonly<Record<string, CheckResult>>;
}

interface ReadinessOptions {
  /** How long a check may take; it counts as failed then. Default 2 s. */
  readonly limitMs?: number;
  /** How long a report is told again before anything is looked at anew. Default 1 s. */
  readonly keptMs?: number;
  /** Takes secrets out of reasons. */
  readonly scrub?: (text: string) => string;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Looks at what a process needs: at all of it at once, bounded in time, and once a second however many ask. */
export class Readiness {
  readonly #checks: ReadinessCheck[] = [];
  readonly #limitMs: number;
  readonly #keptMs: number;
  readonly #scrub: (text: string) => string;
  readonly #now: () => number;
  #kept: { readonly at: number; readonly report: Promise<ReadinessReport> } | undefined;
  #obstacle: string | null = 'it is starting';

  constructor(options: ReadinessOptions = {}) {
    this.#limitMs = options.limitMs ?? 2000;
    this.#keptMs = options.keptMs ?? 1000;
    this.#scrub = options.scrub ?? ((text) => text);
    this.#now = options.now ?? (() => performance.now());
  }

  add(check: ReadinessCheck): void {
    this.#checks.push(check);
  }

  /** Unready for this reason, whatever the checks say: while it starts or drains. Null: the checks decide. */
  set obstacle(reason: string | null) {
    this.#obstacle = reason;
    this.#kept = undefined;
  }

  async read(): Promise<ReadinessReport> {
    if (this.#obstacle !== null) return { ready: false, reason: this.#scrub(this.#obstacle), checks: {} };
    const at = this.#now();
    if (this.#kept === undefined || at - this.#kept.at >= this.#keptMs)
      this.#kept = { at, report: this.#look() };
    return this.#kept.report;
  }

  async #look(): Promise<ReadinessReport> {
    const results = await Promise.all(
      this.#checks.map(async (check) => [check.name, await this.#result(check)] as const),
    );
    const faults = results.filter(([, { ok, required }]) => required && !ok);
    return {
      ready: faults.length === 0,
      reason:
        faults.length === 0 ? null : faults.map(([name, { reason }]) => `${name}: ${reason}`).join('; '),
      checks: Object.fromEntries(results),
    };
  }

  async #result({ look, isRequired = true }: ReadinessCheck): Promise<CheckResult> {
    const began = this.#now();
    const late = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    try {
      const tooLate = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => {
          const error = new Error(`no answer within ${this.#limitMs} ms`);
          reject(error);
          late.abort(error);
        }, this.#limitMs);
      });
      await Promise.race([look(late.signal), tooLate]);
      return { ok: true, required: isRequired, reason: null, ms: this.#since(began) };
    } catch (error) {
      const reason = this.#scrub(error instanceof Error ? error.message : String(error));
      return { ok: false, required: isRequired, reason, ms: this.#since(began) };
    } finally {
      clearTimeout(timer);
    }
  }

  #since(began: number): number {
    return Math.round(this.#now() - began);
  }
}

/** For a process that needs nothing. */
export function alwaysReady(): Readiness {
  const readiness = new Readiness();
  readiness.obstacle = null;
  return readiness;
}
