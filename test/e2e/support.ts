import type Anthropic from '@anthropic-ai/sdk';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pacing } from '../support/pacing.ts';
import type { Product } from '../support/product.ts';

export interface ToolPolicies {
  readonly bash?: 'always_allow' | 'always_ask';
}

/** An agent for the `script` model with the three provider-defined tools, and an environment for its sessions. */
export async function prepare(
  client: Anthropic,
  policies: ToolPolicies = {},
  [width, height]: readonly [number, number] = [1024, 768],
): Promise<{ agent: string; environment_id: string }> {
  const tools = [
    { type: 'computer_20241022', name: 'computer', display_width_px: width, display_height_px: height },
    { type: 'text_editor_20241022', name: 'str_replace_editor' },
    { type: 'bash_20241022', name: 'bash', permission_policy: { type: policies.bash ?? 'always_allow' } },
  ];
  // The SDK's types do not know the provider-defined tools here; its wire does.
  const agent = await client.beta.agents.create({ name: 'e2e', model: 'script', tools: tools as never });
  const environment = await client.beta.environments.create({ name: `e2e-${agent.id}` });
  return { agent: agent.id, environment_id: environment.id };
}

export type Events = Awaited<ReturnType<typeof events>>;

/** The whole log. */
export async function events(
  client: Anthropic,
  session: string,
): Promise<Anthropic.Beta.Sessions.BetaManagedAgentsSessionEvent[]> {
  const all: Anthropic.Beta.Sessions.BetaManagedAgentsSessionEvent[] = [];
  for await (const event of client.beta.sessions.events.list(session)) all.push(event);
  return all;
}

export async function say(client: Anthropic, session: string, text: string): Promise<void> {
  await client.beta.sessions.events.send(session, {
    events: [{ type: 'user.message', content: [{ type: 'text', text }] }],
  });
}

/** Waits until the log's newest event says that the session is idle; answers the stop reason. */
export async function idle(product: Product, session: string, withinMs = 240_000): Promise<string> {
  const deadline = Date.now() + withinMs;
  const pause = pacing();
  for (;;) {
    const { data } = await product.client.beta.sessions.events.list(session, { order: 'desc', limit: 1 });
    const [last] = data;
    if (last?.type === 'session.status_idle') return last.stop_reason.type;
    if (Date.now() > deadline)
      throw new Error(`not idle in time; last event: ${JSON.stringify(last)}\n${product.stderr}`);
    await pause();
  }
}

/** Waits for a condition on the log. */
export async function until(
  product: Product,
  session: string,
  what: string,
  holds: (log: Events) => boolean,
  withinMs = 240_000,
): Promise<Events> {
  const deadline = Date.now() + withinMs;
  const pause = pacing();
  for (;;) {
    const log = await events(product.client, session);
    if (holds(log)) return log;
    if (Date.now() > deadline)
      throw new Error(`waited in vain for ${what}; last: ${JSON.stringify(log.at(-1))}\n${product.stderr}`);
    await pause();
  }
}

/** A file in the home folder of the session's sandbox, as this machine sees it. */
async function atHome({ client, dataDir }: Product, session: string, name: string): Promise<string | null> {
  const { sandbox_id } = (await client.beta.sessions.retrieve(session)) as { sandbox_id?: string | null };
  return sandbox_id == null ? null : path.join(dataDir, 'sandboxes', sandbox_id, 'workspace', name);
}

/** Waits until a command in the session's sandbox has made this file: so far it is, whatever the machine's pace. */
export async function made(
  product: Product,
  session: string,
  name: string,
  withinMs = 240_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  const pause = pacing();
  for (;;) {
    const file = await atHome(product, session, name);
    if (file !== null && existsSync(file)) return;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${name}\n${product.stderr}`);
    await pause();
  }
}

/** Makes a file that a command in the session's sandbox waits for. */
export async function make(product: Product, session: string, name: string): Promise<void> {
  const file = await atHome(product, session, name);
  if (file === null) throw new Error(`${session} has no sandbox yet`);
  writeFileSync(file, '');
}

/** The texts of the tool results, in order. */
export function resultTexts(log: Events): string[] {
  return log.flatMap((event) =>
    event.type === 'agent.tool_result'
      ? [
          (event.content ?? [])
            .map((block) => (block.type === 'text' ? block.text : `<${block.type}>`))
            .join(''),
        ]
      : [],
  );
}
