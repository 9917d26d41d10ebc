import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ActionOutcome } from '@steadyhand/contracts';
import { createSandboxes } from '../../../sandbox/client/hosted-sandboxes.ts';
import type { Sandboxes, SandboxesOptions } from '../../../sandbox/client/sandboxes.ts';
import { newestInstance } from '../../../sandbox/instance-lock.ts';
import { builtSandbox, type Bundles } from './bundles.ts';
import { errorCode } from '../../../sandbox/error-fields.ts';
import { pacing } from '../../support/pacing.ts';
import { readOrEmpty } from '../../support/read-or-empty.ts';

const BASH = { type: 'bash_20241022', name: 'bash' } as const;

/** Real sandboxes in a data folder of the test's own. */
export class TestSandboxes {
  readonly dir = mkdtempSync(join(tmpdir(), 'steadyhand-sandboxes-'));
  readonly #bundles: Bundles;
  readonly #clients: Sandboxes[] = [];
  #keys = 0;

  static open(): TestSandboxes {
    return new TestSandboxes(builtSandbox());
  }

  private constructor(bundles: Bundles) {
    this.#bundles = bundles;
  }

  get daemonEntry(): string {
    return this.#bundles.daemonEntry;
  }

  get guestEntry(): string {
    return this.#bundles.guestEntry;
  }

  get memberEntry(): string {
    return this.#bundles.memberEntry;
  }

  /** A client of its own, as another server process would have. */
  client(options: Partial<SandboxesOptions> = {}): Sandboxes {
    const logger = { info: () => undefined, warn: () => undefined };
    const { daemonEntry, guestEntry } = this.#bundles;
    const client = createSandboxes({
      dir: this.dir,
      daemonEntry,
      guestEntry,
      isolation: 'auto',
      logger,
      ...options,
    });
    this.#clients.push(client);
    return client;
  }

  /** Runs a command under a key of its own (or the given one) and gives the outcome. */
  bash(client: Sandboxes, id: string, command: string, key = this.newKey()): Promise<ActionOutcome> {
    return client.perform(id, { key, tool: BASH, input: { command } });
  }

  /** The text that a command gave. */
  async text(client: Sandboxes, id: string, command: string): Promise<string> {
    return textOf(await this.bash(client, id, command));
  }

  newKey(): string {
    this.#keys += 1;
    return `key-${this.#keys}`;
  }

  folderOf(id: string): string {
    return join(this.dir, id);
  }

  daemonPid(id: string): number {
    return daemonPid(this.folderOf(id));
  }

  /** kill -9, for a daemon that may be down already and not yet started again. */
  killDaemon(id: string): void {
    killDaemon(this.folderOf(id));
  }

  async close(): Promise<void> {
    const client = this.client();
    for (const { id } of await client.list()) await client.delete(id);
    for (const each of this.#clients) each.close();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

function daemonPid(folder: string): number {
  const instance = newestInstance(folder);
  if (instance === null) throw new Error(`${folder} never had a daemon`);
  return instance.process.pid;
}

/** kill -9 of the daemon of a sandbox's folder. */
export function killDaemon(folder: string): void {
  try {
    process.kill(daemonPid(folder), 'SIGKILL');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

export function textOf(outcome: ActionOutcome): string {
  if (outcome.status === 'unknown') return `unknown: ${outcome.reason}`;
  if (typeof outcome.content === 'string') return outcome.content;
  return outcome.content.map((block) => (block.type === 'text' ? block.text : '[image]')).join('\n');
}

/** Processes whose command line or environment names `text`. */
export function processesNaming(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) =>
      ['cmdline', 'environ'].some((file) => readOrEmpty(`/proc/${pid}/${file}`).includes(text)),
    )
    .map(Number);
}

/** Waits until the condition holds. */
export async function until(condition: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
  const deadline = performance.now() + ms;
  const pause = pacing(50);
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not so within ${ms} ms: ${condition.toString()}`);
    await pause();
  }
}
