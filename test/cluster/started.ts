import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import Anthropic from '@anthropic-ai/sdk';

/** What `cluster.json` says of a part. */
interface RunningPart {
  readonly name: string;
  readonly state: string;
  readonly pid?: number;
  readonly starts: number;
}

interface Described {
  readonly url: string;
  readonly api_key: string;
  readonly parts: readonly RunningPart[];
}

/** `node scripts/cluster.mjs`, as a person runs it. */
export class StartedCluster {
  readonly dir: string;
  readonly #script: ChildProcess;
  #said = '';

  private constructor(dir: string, script: ChildProcess) {
    this.dir = dir;
    this.#script = script;
    script.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#said += text));
  }

  static async start(args: readonly string[]): Promise<StartedCluster> {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'steadyhand-cluster-'));
    // PostgreSQL runs as a user of its own where this is root.
    chmodSync(dir, 0o711);
    const script = spawn(process.execPath, ['scripts/cluster.mjs', `--dir=${dir}/c`, '--port=0', ...args], {
      env: { ...process.env, LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const cluster = new StartedCluster(dir, script);
    const ended = once(script, 'close').then(() => {
      throw new Error(`the cluster ended before it was ready:\n${cluster.said}`);
    });
    await Promise.race([ready(script), ended]);
    // Its end is asked for later.
    ended.catch(() => undefined);
    return cluster;
  }

  /** What it has written to standard error. */
  get said(): string {
    return this.#said;
  }

  get described(): Described {
    return JSON.parse(readFileSync(path.join(this.dir, 'c/cluster.json'), 'utf8')) as Described;
  }

  get client(): Anthropic {
    const { url, api_key } = this.described;
    return new Anthropic({ baseURL: url, apiKey: api_key, maxRetries: 8 });
  }

  /** The part, when it has a process that serves. */
  serving(name: string): (RunningPart & { readonly pid: number }) | undefined {
    const part = this.described.parts.find((one) => one.name === name);
    return part?.pid === undefined || part.state !== 'serves' ? undefined : { ...part, pid: part.pid };
  }

  /** The end of each part's log, for the message of a failure. */
  logs(): string {
    return this.described.parts
      .map(
        ({ name }) =>
          `== ${name}\n${readFileSync(path.join(this.dir, `c/logs/${name}.log`), 'utf8').slice(-1500)}`,
      )
      .join('\n');
  }

  /** SIGTERM; answers the exit code. */
  async stop(): Promise<number | null> {
    const gone = once(this.#script, 'exit') as Promise<[number | null]>;
    this.#script.kill('SIGTERM');
    const [code] = await gone;
    rmSync(this.dir, { recursive: true, force: true });
    return code;
  }
}

async function ready(script: ChildProcess): Promise<void> {
  if (script.stdout === null) throw new Error('the script has no output to read');
  for await (const line of createInterface({ input: script.stdout }))
    if (line.startsWith('Steadyhand cluster ready on ')) break;
  script.stdout.resume();
}
