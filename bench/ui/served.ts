import path from 'node:path';
import type { Client } from '@temporalio/client';
import { startServer, stopServers } from '../../test/server/harness.ts';
import { seedMany } from '../../test/web/seed-tools.ts';
import { type SeededSession, seedSession } from '../../test/web/seed.ts';
import { statusRunning, toolResult } from '../../sessions/index.ts';
import type { Store } from '../../store/index.ts';
import { createWorkflowService, type WorkflowServiceOptions } from '../../temporal/index.ts';
import { Host } from '../statechart/host.ts';
import * as workflows from '../statechart/workflows.ts';

/** What the measuring process asks of the server's. */
export type Order =
  | { readonly ask: 'session'; readonly title: string; readonly events: number }
  | { readonly ask: 'say'; readonly session: string; readonly text: string }
  | {
      readonly ask: 'stream';
      readonly session: string;
      readonly seconds: number;
      readonly eventsASecond: number;
    }
  | {
      readonly ask: 'workflow';
      readonly type: string;
      readonly input: unknown;
      readonly wait: boolean;
    };

export interface Answers {
  /** The session's id. */
  readonly session: string;
  /** When the event was handed to the store, in milliseconds since the epoch. */
  readonly say: number;
  /** How many events came. */
  readonly stream: number;
  /** The run's id and how many events its history has. */
  readonly workflow: { readonly id: string; readonly events: number };
}

/** Serves the pages with a store and an engine, and does what the other process orders. */
export class Served {
  readonly url: string;
  readonly #store: Store;
  readonly #host: Host;
  readonly #sessions = new Map<string, SeededSession>();

  private constructor(url: string, store: Store, host: Host) {
    this.url = url;
    this.#store = store;
    this.#host = host;
  }

  static async open(): Promise<Served> {
    const host = await Host.open('embedded');
    const service = createWorkflowService({
      connection: (host.client as Client).connection as WorkflowServiceOptions['connection'],
      namespace: 'default',
      engine: 'embedded',
      scrub: (text) => text,
      machines: async () => await Promise.resolve({ ...workflows }),
    });
    const { url, store } = await startServer({ workflows: service, staticDir: path.resolve('static') });
    return new Served(url, store, host);
  }

  async follow(order: Order): Promise<Answers[Order['ask']]> {
    switch (order.ask) {
      case 'session': {
        const session = await seedSession(this.#store, order.title);
        await session.step(statusRunning());
        await seedMany(session, order.events);
        this.#sessions.set(session.id, session);
        return session.id;
      }
      case 'say': {
        const at = performance.timeOrigin + performance.now();
        const content = [{ type: 'text' as const, text: order.text }];
        await this.#session(order.session).step({ type: 'agent.message', body: { content } });
        return at;
      }
      case 'stream':
        return await stream(this.#session(order.session), order.seconds, order.eventsASecond);
      case 'workflow': {
        const handle = await this.#host.start(order.type, order.input);
        if (order.wait) await handle.result();
        const { historyLength } = await handle.describe();
        return { id: handle.workflowId, events: historyLength };
      }
    }
  }

  async close(): Promise<void> {
    await stopServers();
    await this.#host.close();
  }

  #session(id: string): SeededSession {
    const session = this.#sessions.get(id);
    if (session === undefined) throw new Error(`no session ${id}`);
    return session;
  }
}

/** Uses of bash, each a use and its result, evenly over the time; what is late is made good. */
async function stream(session: SeededSession, seconds: number, eventsASecond: number): Promise<number> {
  const began = performance.now();
  let events = 0;
  while (performance.now() - began < seconds * 1000) {
    const due = ((performance.now() - began) / 1000) * eventsASecond;
    while (events < due) {
      const input = { command: `echo streamed ${events}` };
      const [use = ''] = await session.step({
        type: 'agent.tool_use',
        body: { name: 'bash', input, evaluated_permission: 'allow' },
      });
      await session.step(toolResult(use, { content: `streamed ${events}`, is_error: false }));
      events += 2;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return events;
}
