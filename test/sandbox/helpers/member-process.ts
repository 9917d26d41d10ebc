import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A member of a pool on this machine, started again whenever it ends, as compose does it. */
export class MemberProcess {
  readonly dir = mkdtempSync(join(tmpdir(), 'steadyhand-member-'));
  readonly #entry: string;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | null = null;
  #ready: Promise<void> = Promise.resolve();
  #stopped = false;
  /** The same at every start. */
  port = 0;
  /** Starts so far. */
  starts = 0;

  static async start(entry: string, env: Readonly<Record<string, string>>): Promise<MemberProcess> {
    const member = new MemberProcess(entry, env);
    member.port = await lastingPort();
    member.#start();
    await member.#ready;
    return member;
  }

  private constructor(entry: string, env: Readonly<Record<string, string>>) {
    this.#entry = entry;
    this.#env = env;
  }

  get address(): { readonly host: string; readonly port: number } {
    return { host: '127.0.0.1', port: this.port };
  }

  get pid(): number {
    return this.#child?.pid ?? -1;
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  /** Sends SIGTERM, which drains it; resolves when it has ended. It is not started again. */
  async terminated(): Promise<void> {
    this.#stopped = true;
    const child = this.#child;
    if (child === null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  /** Ends it for good; its folder stays when it is to come back. */
  async stop({ keep = false }: { readonly keep?: boolean } = {}): Promise<void> {
    this.#stopped = true;
    const child = this.#child;
    if (child !== null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      // Unlike SIGTERM, this does not let its sandboxes go on.
      child.kill('SIGINT');
      await ended;
    }
    if (!keep) rmSync(this.dir, { recursive: true, force: true });
  }

  async again(): Promise<void> {
    this.#stopped = false;
    this.#start();
    await this.#ready;
  }

  #start(): void {
    this.starts += 1;
    const child = spawn(process.execPath, [this.#entry], {
      env: {
        PATH: process.env['PATH'],
        SANDBOX_DIR: this.dir,
        SANDBOX_LISTEN: `127.0.0.1:${this.port}`,
        ...this.#env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const log: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => log.push(String(chunk)));
    this.#ready = new Promise((resolve, reject) => {
      createInterface({ input: child.stdout }).once('line', (line) => {
        this.port = (JSON.parse(line) as { port: number }).port;
        resolve();
      });
      child.once('exit', () => reject(new Error(`the member ended: ${log.join('')}`)));
    });
    this.#ready.catch(() => undefined);
    child.once('exit', () => {
      this.#child = null;
      // What ends at once, again and again, is no member.
      if (!this.#stopped && this.starts < 50) this.#start();
    });
  }
}

/** A port that is free now, and that the kernel gives to nobody while its member is away: below those that it chooses from. */
async function lastingPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
