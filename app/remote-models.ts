import { z } from 'zod';
import type { InferenceAddress, KnownModels } from '@steadyhand/server';

/** How often the list is read. */
const EVERY_MS = 5000;
const ANSWER_MS = 2000;

const modelList = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['loading', 'ready', 'refused', 'unloaded']),
      reason: z.string().nullable(),
    }),
  ),
});

type Model = z.output<typeof modelList>['models'][number];

/** What is known of the image models of another process: their states as they were a few seconds ago. */
export class RemoteModels implements KnownModels {
  readonly #service: InferenceAddress;
  readonly #timer: NodeJS.Timeout;
  #models: readonly Model[] = [];
  #isReady = false;

  constructor(service: InferenceAddress) {
    this.#service = service;
    const look = (): void => void this.refresh().catch(() => undefined);
    this.#timer = setInterval(look, EVERY_MS).unref();
    look();
  }

  ready(): boolean {
    return this.#isReady;
  }

  models(): readonly Model[] {
    return this.#models;
  }

  /** Requests are counted where the models run. */
  observe(): () => void {
    return () => undefined;
  }

  /** Rejects when the other process is not ready. */
  async look(signal: AbortSignal): Promise<void> {
    const answer = await this.#get('/v2/health/ready', signal);
    if (!answer.ok) throw new Error(`${this.#service.url} has not loaded its models`);
  }

  /** Reads the list now. */
  async refresh(): Promise<void> {
    try {
      const [list, ready] = await Promise.all([this.#get('/v2/models'), this.#get('/v2/health/ready')]);
      this.#models = modelList.parse(await list.json()).models;
      this.#isReady = ready.ok;
    } catch (error) {
      this.#isReady = false;
      throw error;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #get(path: string, signal = AbortSignal.timeout(ANSWER_MS)): Promise<Response> {
    const { url, apiKey } = this.#service;
    const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    return fetch(`${url}${path}`, { headers, signal }).catch((error: unknown) => {
      throw new Error(`${url} does not answer`, { cause: error });
    });
  }
}
