import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import Anthropic from '@anthropic-ai/sdk';
import { openedForAll } from './opened.ts';

const ROOT = process.cwd();

/**
 * In a test it lives for seconds, in which it does not gain what optimizing its code costs, and there is no idle core to collect its
 * garbage: a start takes a sixth less of a processor. Benchmarks run it as it is.
 */
const NODE_FLAGS =
  process.env['NODE_ENV'] === 'test'
    ? ['--no-opt', '--single-threaded-gc', '--min-semi-space-size=16', '--max-semi-space-size=16']
    : [];

/** The real product as a process of its own, on a data folder that outlives it. */
export class Product {
  readonly dataDir: string;
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #url = '';
  #stderr = '';
  #said: string[] = [];
  /** Milliseconds since the epoch when the last start was ready. */
  readyAt = 0;

  readonly #args: readonly string[];

  constructor(
    env: NodeJS.ProcessEnv = {},
    dataDir = mkdtempSync(path.join(os.tmpdir(), 'steadyhand-')),
    args: readonly string[] = [],
  ) {
    this.#args = args;
    this.dataDir = dataDir;
    this.#env = env;
  }

  /** Where it answers: of a worker, where it answers probes. */
  get url(): string {
    return this.#url;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** What the present process wrote to standard error. */
  get stderr(): string {
    return this.#stderr;
  }

  /** The lines that the present process wrote to standard output until it was ready. */
  get said(): readonly string[] {
    return this.#said;
  }

  /** The official client, pointed at the product. */
  get client(): Anthropic {
    const apiKey = this.#env['API_KEY'] ?? 'unused-on-loopback';
    return new Anthropic({ baseURL: this.#url, apiKey, maxRetries: 0 });
  }

  /** Starts the built product and waits for its ready line. */
  async start(): Promise<void> {
    const env = {
      ...process.env,
      PORT: '0',
      ENGINE_PORT: '0',
      HEALTH_PORT: '0',
      LOG_LEVEL: 'warn',
      // Loading the default image model is a quarter of a start's work; a test that asks for it has it loaded then.
      DEFAULT_MODEL: 'none',
      ...this.#env,
      DATA_DIR: this.dataDir,
    };
    const child = spawn(process.execPath, [...NODE_FLAGS, path.join(ROOT, 'dist/main.mjs'), ...this.#args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#stderr = '';
    this.#said = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-20_000);
    });
    const lines = createInterface({ input: child.stdout });
    // Its last words come after 'exit'; with 'close' they are whole.
    const closed = once(child, 'close').then(() => {
      throw new Error(`the product ended before it was ready:\n${this.#stderr}`);
    });
    const ready = (async () => {
      for await (const line of lines) {
        this.#said.push(line);
        const match = /^Steadyhand (?:worker |inference )?ready on ([^\s,]+)(?:, health on (\S+))?/.exec(
          line,
        );
        if (match?.[1] !== undefined) return match[2] ?? match[1];
      }
      return await closed;
    })();
    this.#url = await Promise.race([ready, closed]);
    this.readyAt = Date.now();
    child.stdout.resume();
  }

  /** kill -9: no chance to tidy anything. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** SIGTERM; answers the exit code. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const gone = once(child, 'exit') as Promise<[number | null]>;
    child.kill('SIGTERM');
    const [code] = await gone;
    return code;
  }

  /** Deletes every session and sandbox through the API, stops the process, removes the folder. */
  async dispose(): Promise<void> {
    try {
      const { client } = this;
      for await (const session of client.beta.sessions.list()) await client.beta.sessions.delete(session.id);
      const headers = { 'x-api-key': client.apiKey ?? '' };
      const sandboxes = await fetch(`${this.#url}/v1/sandboxes`, { headers });
      for (const { id } of ((await sandboxes.json()) as { data: { id: string }[] }).data)
        await fetch(`${this.#url}/v1/sandboxes/${id}`, { method: 'DELETE', headers });
    } catch (error) {
      const { exitCode, signalCode } = this.#child ?? {};
      if ((exitCode ?? signalCode ?? null) === null) throw error;
      throw new Error(`the product had ended with ${exitCode ?? signalCode}:\n${this.#stderr}`, {
        cause: error,
      });
    } finally {
      await this.stop();
      rmSync(this.dataDir, { recursive: true, force: true });
    }
  }
}

/** The product, started before the tests of the file or `describe` that this is called in, and disposed of after them. */
export function productForAll(...given: ConstructorParameters<typeof Product>): Product {
  const product = new Product(...given);
  beforeAll(() => product.start(), 120_000);
  afterAll(() => product.dispose(), 120_000);
  return product;
}

/** The same, with the double of the Messages API that replies for every Claude model. */
export function productBehind(upstream: { readonly baseURL: string }): Product {
  return openedForAll(
    async () => {
      const product = new Product({
        ANTHROPIC_API_KEY: 'sk-test-upstream',
        ANTHROPIC_BASE_URL: upstream.baseURL,
      });
      await product.start();
      return product;
    },
    (product) => product.dispose(),
    360_000,
  );
}
