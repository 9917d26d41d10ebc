import { setTimeout as pause } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import type { SeenEvent } from './verdict.ts';

/** What clients met: requests that had to be sent again, by what was answered. */
export class ClientErrors {
  readonly #counts = new Map<string, number>();

  count(error: unknown): void {
    const name = error instanceof Anthropic.APIError ? String(error.status ?? error.name) : String(error);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }
}

/** Sends a request again until it is answered: a retry has to mend what clients meet, within a time. */
export async function retried<T>(
  errors: ClientErrors,
  request: () => Promise<T>,
  withinMs = 180_000,
): Promise<T> {
  const began = Date.now();
  for (;;) {
    try {
      return await request();
    } catch (error) {
      errors.count(error);
      const wrong = error instanceof Anthropic.APIError && error.status !== undefined && error.status < 500;
      const again = !wrong || error.status === 408 || error.status === 409 || error.status === 429;
      if (!again || Date.now() - began > withinMs) throw error;
      await pause(500);
    }
  }
}

/** Begins a session, sends it the script, waits for the end of its turn, and answers its log. */
export async function chaosSession(options: {
  readonly client: Anthropic;
  readonly errors: ClientErrors;
  readonly agent: string;
  readonly environment: string;
  readonly script: string;
  /** Milliseconds after which a session counts as stuck. */
  readonly stuckMs: number;
}): Promise<{
  readonly id: string;
  readonly stuck: boolean;
  readonly ms: number;
  readonly events: readonly SeenEvent[];
}> {
  const { client, errors, agent, environment, script, stuckMs } = options;
  const began = Date.now();
  const { id } = await retried(errors, () =>
    client.beta.sessions.create({ agent, environment_id: environment }),
  );
  const content = [{ type: 'text' as const, text: script }];
  // A message whose answer was lost may stand in the log already; sent again, it would begin a second turn.
  await retried(errors, async () => {
    const { data } = await client.beta.sessions.events.list(id, { limit: 5 });
    if (data.some(({ type }) => type === 'user.message')) return;
    await client.beta.sessions.events.send(id, { events: [{ type: 'user.message', content }] });
  });
  let stuck = false;
  for (;;) {
    const last = await retried(errors, () =>
      client.beta.sessions.events.list(id, { order: 'desc', limit: 1 }),
    );
    if (last.data[0]?.type === 'session.status_idle') break;
    stuck = Date.now() - began > stuckMs;
    if (stuck) break;
    await pause(1000);
  }
  const events = await retried(errors, () => seen(client, id));
  return { id, stuck, ms: Date.now() - began, events };
}

/** Deletes a session, which gives its computer back to the pool. A session whose deletion was answered to nobody is gone already. */
export async function deleted(client: Anthropic, errors: ClientErrors, id: string): Promise<void> {
  await retried(errors, () =>
    client.beta.sessions.delete(id).catch((error: unknown) => {
      if (!(error instanceof Anthropic.NotFoundError)) throw error;
    }),
  );
}

async function seen(client: Anthropic, id: string): Promise<SeenEvent[]> {
  const events: SeenEvent[] = [];
  for await (const event of client.beta.sessions.events.list(id, { limit: 200 })) {
    const { type } = event;
    const use = 'tool_use_id' in event ? event.tool_use_id : type === 'agent.tool_use' ? event.id : undefined;
    events.push({
      type,
      text: JSON.stringify('content' in event ? event.content : event).replaceAll('\\n', '\n'),
      ...(typeof use === 'string' ? { toolUse: use } : {}),
      ...('is_error' in event && event.is_error === true ? { isError: true } : {}),
    });
  }
  return events;
}
