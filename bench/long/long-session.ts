import { setTimeout as pause } from 'node:timers/promises';
import type { Product } from '../../test/support/product.ts';
import { isIdle, scriptAgent } from '../crash/crash-run.ts';
import { processorMs } from '../lib/processes.ts';

/** Enough for the events of one turn. */
const PAGE = 1000;

export interface Turn {
  /** Milliseconds from each result to the next one. */
  readonly times: readonly number[];
  /** Milliseconds of the server's processor time a step. */
  readonly cpu: number;
}

/** A session of the script provider that is given turn after turn, with the events of its log counted. */
export class LongSession {
  readonly #product: Product;
  readonly #id: string;
  /** Events of its log so far. */
  events = 0;

  private constructor(product: Product, id: string) {
    this.#product = product;
    this.#id = id;
  }

  static async open(product: Product): Promise<LongSession> {
    const { client } = product;
    const agent = await scriptAgent(client);
    const environment = await client.beta.environments.create({ name: `long-${Date.now()}` });
    const { id } = await client.beta.sessions.create({ agent, environment_id: environment.id });
    return new LongSession(product, id);
  }

  /** A turn of so many bash calls that do nothing. */
  async turn(steps: number): Promise<Turn> {
    const { client, pid = 0 } = this.#product;
    const before = processorMs(pid);
    const text = JSON.stringify(Array.from({ length: steps }, () => ({ bash: 'true' })));
    const sent = await client.beta.sessions.events.send(this.#id, {
      events: [{ type: 'user.message', content: [{ type: 'text', text }] }],
    });
    const asked = sent.data?.[0];
    while (!(await isIdle(client, this.#id))) await pause(250);
    const cpu = (processorMs(pid) - before) / steps;
    const { data } = await client.beta.sessions.events.list(this.#id, { order: 'desc', limit: PAGE });
    const since = data.findIndex((event) => event.id === asked?.id);
    if (since === -1) throw new Error('the turn has more events than a page');
    const turn = data.slice(0, since + 1).toReversed();
    this.events += turn.length;
    const results = turn.flatMap((event) =>
      event.type === 'agent.tool_result' ? [Date.parse(event.processed_at ?? '')] : [],
    );
    if (results.length !== steps) throw new Error(`${results.length} results of ${steps} steps`);
    return { times: results.slice(1).map((at, index) => at - (results[index] ?? at)), cpu };
  }
}
