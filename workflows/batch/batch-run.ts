import { condition, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { BatchActivities, BatchEnding } from '@steadyhand/contracts';
import type { BatchProgress, BatchStart, HeldRequest } from './batch-start.ts';

/** The first retries come at once: an attempt that is lost with its worker costs the heartbeat timeout and no more. */
const retry = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '10s' } as const;

type Activities = Pick<BatchActivities, 'answerBatchRequest' | 'endBatch'>;

/** One run of a batch: each of its lanes takes one request after the other. */
export class BatchRun {
  readonly #start: BatchStart;
  readonly #answer: Activities['answerBatchRequest'];
  readonly #end: Activities['endBatch'];
  #next: number;
  readonly #held: HeldRequest[];
  /** Why no request begins any more; undefined while requests begin. */
  #closed: BatchEnding | undefined;
  #isContinuing = false;
  #isDone = false;

  constructor(start: BatchStart) {
    this.#start = start;
    this.#next = start.progress?.next ?? 0;
    this.#held = [...(start.progress?.held ?? [])];
    const { taskQueue } = start;
    this.#answer = proxyActivities<Activities>({
      ...(taskQueue === undefined ? {} : { taskQueue }),
      startToCloseTimeout: '2 hours',
      heartbeatTimeout: '2s',
      retry,
    }).answerBatchRequest;
    this.#end = proxyActivities<Activities>({ startToCloseTimeout: '1 minute', retry }).endBatch;
  }

  /** Lets no further request begin. The first reason stands. */
  close(reason: BatchEnding): void {
    this.#closed ??= reason;
  }

  /** Works until the batch has ended, or until the run has to continue as new; answers where the next run goes on. */
  async work(): Promise<BatchProgress | undefined> {
    const { batch, lanes, expiresAt } = this.#start;
    const expiry = condition(
      () => this.#isDone || this.#closed !== undefined,
      Math.max(1, expiresAt - Date.now()),
    );
    const watch = expiry.then((stopped) => {
      if (!stopped) this.close('expired');
    });
    await Promise.all(Array.from({ length: lanes }, () => this.#lane()));
    this.#isDone = true;
    await watch;
    if (this.#isContinuing && this.#closed === undefined) return { next: this.#next, held: this.#held };
    await this.#end({ batch, unanswered: this.#closed ?? 'expired' });
    return undefined;
  }

  async #lane(): Promise<void> {
    for (let request = this.#take(); request !== undefined; request = this.#take()) {
      await this.#finish(request);
    }
  }

  #take(): HeldRequest | undefined {
    this.#isContinuing ||= this.#isLong();
    if (this.#isContinuing || this.#closed !== undefined) return undefined;
    const held = this.#held.shift();
    if (held !== undefined) return held;
    if (this.#next >= this.#start.requests) return undefined;
    return { position: this.#next++, waits: 0, faults: 0, at: 0 };
  }

  #isLong(): boolean {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    const { continueAfter } = this.#start;
    return continueAfter === undefined ? continueAsNewSuggested : historyLength >= continueAfter;
  }

  /** Asks until the request has its result, for as long as its provider is limited. */
  async #finish(taken: HeldRequest): Promise<void> {
    let request = taken;
    for (;;) {
      const wait = request.at - Date.now();
      if (wait > 0) await condition(() => this.#isContinuing || this.#closed !== undefined, wait);
      if (this.#closed !== undefined) return;
      if (this.#isContinuing) {
        this.#held.push(request);
        return;
      }
      const { position, waits, faults } = request;
      const outcome = await this.#answer({ batch: this.#start.batch, position, waits, faults });
      switch (outcome.type) {
        case 'done':
          return;
        case 'closed':
          this.close(outcome.reason);
          return;
        case 'limited':
          request = { position, waits: waits + 1, faults, at: Date.now() + outcome.ms };
          break;
        case 'failed':
          request = { position, waits, faults: faults + 1, at: Date.now() + outcome.ms };
          break;
      }
    }
  }
}
