import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../lib/free-port.ts';

/** What this bench uses of `@restatedev/restate-sdk`, which is no dependency of the product. */
interface RestateSdk {
  service(definition: { name: string; handlers: object }): object;
  serve(options: { services: readonly object[]; port: number }): Promise<number>;
}
interface Context {
  serviceClient(definition: { name: string }): { noop(n: number): Promise<number> };
}

/**
 * The loop of steps on Restate, a durable execution engine whose server has a log and a RocksDB of its own: a step is a durable call
 * of another service, as an activity is. The server and the SDK are npm packages, installed in a folder of the caller's.
 */
export class RestateStepper {
  readonly #server: ChildProcess;
  readonly #folder: string;
  readonly #ingress: string;

  private constructor(server: ChildProcess, folder: string, ingress: string) {
    this.#server = server;
    this.#folder = folder;
    this.#ingress = ingress;
  }

  /** @param packages a folder in which `npm install @restatedev/restate-server @restatedev/restate-sdk` was done */
  static async open(packages: string): Promise<RestateStepper> {
    provideResolvers();
    // Otherwise it writes two lines a step.
    process.env['RESTATE_LOGGING'] ??= 'ERROR';
    const sdk = createRequire(path.join(packages, 'package.json'))('@restatedev/restate-sdk') as RestateSdk;
    const folder = mkdtempSync(path.join(tmpdir(), 'bench-restate-'));
    const [ingress, admin, node, service] = await Promise.all(Array.from({ length: 4 }, freePort));
    const server = spawn(
      path.join(packages, 'node_modules/.bin/restate-server'),
      ['--no-logo', '--bind-ip', '127.0.0.1', '--bind-port', String(node), '--base-dir', folder],
      {
        env: {
          ...process.env,
          RESTATE_INGRESS__BIND_PORT: String(ingress),
          RESTATE_ADMIN__BIND_PORT: String(admin),
          RESTATE_DISABLE_TELEMETRY: 'true',
          RESTATE_LOG_FILTER: 'error',
          RESTATE_LISTEN_MODE: 'tcp',
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const activities = { name: 'activities' };
    const services = [
      sdk.service({
        ...activities,
        handlers: { noop: (_: Context, n: number) => Promise.resolve(n) },
      }),
      sdk.service({
        name: 'steps',
        handlers: {
          async run(context: Context, steps: number): Promise<void> {
            for (let step = 0; step < steps; step += 1) await context.serviceClient(activities).noop(step);
          },
        },
      }),
    ];
    await sdk.serve({ services, port: service ?? 0 });
    await registered(`http://127.0.0.1:${admin}/deployments`, `http://127.0.0.1:${service}`);
    return new RestateStepper(server, folder, `http://127.0.0.1:${ingress}`);
  }

  /** Milliseconds until so many runs, begun together, have taken so many steps each. */
  async time(runs: number, steps: number): Promise<number> {
    const start = performance.now();
    await Promise.all(Array.from({ length: runs }, () => this.#run(steps)));
    return performance.now() - start;
  }

  async #run(steps: number): Promise<void> {
    const response = await fetch(`${this.#ingress}/steps/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(steps),
    });
    if (!response.ok) throw new Error(`Restate answered ${response.status}: ${await response.text()}`);
  }

  async close(): Promise<void> {
    const ended = once(this.#server, 'exit');
    this.#server.kill('SIGTERM');
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The SDK uses `Promise.withResolvers`, which Node 20 does not have. */
function provideResolvers(): void {
  if ('withResolvers' in Promise) return;
  Object.assign(Promise, {
    withResolvers<T>(): object {
      let settle: Partial<Record<'resolve' | 'reject', unknown>> = {};
      const promise = new Promise<T>((resolve, reject) => {
        settle = { resolve, reject };
      });
      return { promise, ...settle };
    },
  });
}

/** Tells the server where the services are, once it answers. */
async function registered(deployments: string, uri: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const response = await fetch(deployments, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uri }),
    }).catch(() => undefined);
    if (response?.ok) return;
    if (Date.now() > deadline) throw new Error(`Restate took no services: ${await response?.text()}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
