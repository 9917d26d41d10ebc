import { setTimeout as pause } from 'node:timers/promises';
import type Anthropic from '@anthropic-ai/sdk';
import type { Product } from '../../test/support/product.ts';
import { damage, type Damage, type MixedScript } from './mixed-script.ts';

export interface CrashRun extends Damage {
  /** Milliseconds into the session at which the server was killed; undefined when it ended before that. */
  readonly killedAt: number | undefined;
  readonly unknown: number;
  /** Milliseconds from the ready line of the restarted server to the next result in the log. */
  readonly recovery: number | undefined;
  readonly duration: number;
}

const TOOLS = [
  { type: 'computer_20241022', name: 'computer', display_width_px: 1024, display_height_px: 768 },
  { type: 'text_editor_20241022', name: 'str_replace_editor' },
  { type: 'bash_20241022', name: 'bash' },
];

/** An agent that runs scripts with the three tools. The SDK's types do not know the tools; the server does. */
export async function scriptAgent(client: Anthropic): Promise<string> {
  const agent = await client.beta.agents.create({ name: 'crash', model: 'script', tools: TOOLS as never });
  return agent.id;
}

/** Runs the script in a new session and kills the server once, `killAfter` milliseconds after the start. */
export async function crashRun(
  product: Product,
  agent: string,
  script: MixedScript,
  killAfter: number,
): Promise<CrashRun> {
  const environment = await product.client.beta.environments.create({ name: `crash-${Date.now()}` });
  const session = await product.client.beta.sessions.create({ agent, environment_id: environment.id });
  const content = [{ type: 'text' as const, text: script.yaml }];
  await product.client.beta.sessions.events.send(session.id, { events: [{ type: 'user.message', content }] });
  const began = Date.now();
  const ended = (): Promise<boolean> => isIdle(product.client, session.id);

  let killedAt: number | undefined;
  let readyAt: number | undefined;
  while (Date.now() - began < killAfter && !(await ended())) await pause(Math.min(20, killAfter));
  if (!(await ended())) {
    killedAt = Date.now() - began;
    await product.kill();
    await product.start();
    readyAt = product.readyAt;
  }
  while (!(await ended())) await pause(50);
  const duration = Date.now() - began;

  const events = await all(product.client.beta.sessions.events.list(session.id));
  const results = events.filter((event) => event.type === 'agent.tool_result');
  const unknown = results.filter((event) =>
    JSON.stringify(event.content).includes('outcome is unknown'),
  ).length;
  const report = JSON.stringify(results.at(-1)?.content ?? '').replaceAll('\\n', '\n');
  const next = results
    .map((event) => Date.parse(event.processed_at ?? ''))
    .find((at) => readyAt !== undefined && at >= readyAt);
  const recovery = readyAt === undefined || next === undefined ? undefined : next - readyAt;
  await product.client.beta.sessions.delete(session.id);
  return { ...damage(script, report), killedAt, unknown, recovery, duration };
}

/** The turn is over: idle after having run. */
export async function isIdle(client: Anthropic, session: string): Promise<boolean> {
  const { data } = await client.beta.sessions.events.list(session, { order: 'desc', limit: 1 });
  return data[0]?.type === 'session.status_idle';
}

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of pages) items.push(item);
  return items;
}
