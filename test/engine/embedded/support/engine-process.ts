import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, Connection } from '@temporalio/client';
import type { Engine } from '../../../../engine/connection/engine.ts';
import { bundledProgram } from '../../../support/bundled-program.ts';

/** An engine in a child process: it can be killed at any moment and started again on the same port and database. */
export class EngineProcess {
  readonly #folder = mkdtempSync(join(tmpdir(), 'engine-process-'));
  #child: ChildProcess | undefined;
  #port = 0;

  get engine(): Pick<Engine, 'address' | 'namespace' | 'connection' | 'kind' | 'stop'> {
    const address = `127.0.0.1:${this.#port}`;
    return {
      kind: 'embedded',
      address,
      namespace: 'default',
      connection: { address },
      stop: () => this.kill(),
    };
  }

  get dbPath(): string {
    return join(this.#folder, 'engine.db');
  }

  async start(): Promise<void> {
    const child = spawn(
      process.execPath,
      [await bundledProgram('test/engine/embedded/support/engine-main.ts'), this.dbPath, String(this.#port)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    this.#child = child;
    for await (const line of createInterface({ input: child.stdout })) {
      const address = /^READY (.*)$/.exec(line)?.[1];
      if (address === undefined) continue;
      this.#port = Number(address.split(':').at(-1));
      return;
    }
    throw new Error('the engine process ended before it was ready');
  }

  /** SIGKILL: the process gets no chance to write anything more. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  async connect(): Promise<{ client: Client; connection: Connection }> {
    const connection = await Connection.connect(this.engine.connection);
    return { connection, client: new Client({ connection }) };
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
