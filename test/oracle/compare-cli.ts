/**
 * Runs Temporal's own CLI against the real server and the embedded engine, every subcommand of it, and names each command line
 * that ends or prints otherwise, with both outputs.
 *
 *   npx esbuild test/oracle/compare-cli.ts --bundle --platform=node --format=esm --packages=external \
 *     --conditions=@steadyhand/source --outfile=.tmp/compare-cli.mjs && node .tmp/compare-cli.mjs 127.0.0.1:7299
 *
 * Needs `temporal` (CLI 1.9 with server 1.32) on the PATH, and a new server of it at the address:
 *
 *   temporal server start-dev --headless --port 7299 --dynamic-config-value frontend.WorkflowPauseEnabled=true
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApplicationFailure, CompleteAsyncError } from '@temporalio/activity';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { startEngine } from '../../engine/index.ts';
import { type Line, lists, local } from './cli/commands.ts';
import { normal } from './cli/normal.ts';

interface Output {
  readonly code: number;
  readonly text: string;
}

/** What a command that had to be killed ends with. */
const HUNG = -1;
const PATIENCE_MS = 10_000;
const SLOW_MS = 5_000;

Runtime.install({ logger: new DefaultLogger('ERROR') });
const workflowBundle = await bundleWorkflowCode({
  workflowsPath: path.resolve('test/oracle/cli/workflows.ts'),
  logger: new DefaultLogger('ERROR'),
});
const folder = mkdtempSync(path.join(tmpdir(), 'compare-cli-'));

const known = await subcommands([]);
const covered = Object.values(lists).flatMap((lines) => lines.map(({ args }) => args.join(' ')));
const missing = known.filter(
  (name) => !local.includes(name) && !covered.some((args) => args.startsWith(`${name} `) || args === name),
);
for (const name of missing) process.stdout.write(`no command line for: temporal ${name}\n`);

const [real, ours] = await Promise.all([outputsOf('cluster'), outputsOf('embedded')]);
rmSync(folder, { recursive: true, force: true });
let same = 0;
let all = 0;
for (const [name, lines] of Object.entries(lists)) {
  for (const [at, line] of lines.entries()) {
    const [wanted, given] = [real.get(name)?.[at], ours.get(name)?.[at]];
    if (wanted === undefined || given === undefined) continue;
    const faults = faultsOf(line, wanted, given);
    if (line.leftOut !== true) all += 1;
    if (faults === undefined) {
      if (line.leftOut !== true) same += 1;
      continue;
    }
    process.stdout.write(
      `temporal ${line.args.join(' ')}\n  real server (${wanted.code}): ${wanted.text}\n  engine (${given.code}): ${given.text}\n`,
    );
  }
}
process.stdout.write(`${same} of ${all} command lines end and print the same\n`);
process.exit(missing.length === 0 ? 0 : 1);

function faultsOf(line: Line, wanted: Output, given: Output): string | undefined {
  if (/^panic:|goroutine \d+/m.test(given.text) || given.code === HUNG) return 'it does not end by itself';
  if (line.leftOut === true) return undefined;
  if (wanted.code !== given.code) return 'it ends otherwise';
  return line.moment === true || wanted.text === given.text ? undefined : 'it prints something else';
}

/** All subcommands below one, found by its help. */
async function subcommands(above: readonly string[]): Promise<readonly string[]> {
  const { text } = await temporal([...above, '--help']);
  const [, block = ''] = /Available Commands:\n((?: .*\n)+)/.exec(`${text}\n`) ?? [];
  const names = [...block.matchAll(/^ (\S+)/gm)].map(([, name = '']) => name);
  const below = names.filter((name) => name !== 'help' && name !== 'completion');
  if (below.length === 0) return [above.join(' ')];
  return (await Promise.all(below.map((name) => subcommands([...above, name])))).flat();
}

/** What each command line prints on a server that is new, with a worker. */
async function outputsOf(kind: 'cluster' | 'embedded'): Promise<ReadonlyMap<string, readonly Output[]>> {
  const engine = await startEngine({
    kind,
    dataDir: path.join(folder, kind),
    port: 0,
    access: 'open',
    address: process.argv[2] ?? '127.0.0.1:7299',
  });
  const connection = await NativeConnection.connect(engine.connection);
  const common = { connection, workflowBundle, activities: { held, doubled, broken } };
  const workers = [
    await Worker.create({ ...common, taskQueue: 'cli' }),
    await Worker.create({
      ...common,
      taskQueue: 'cli-versioned',
      workerDeploymentOptions: {
        version: { deploymentName: 'cli-deployment', buildId: 'one' },
        useWorkerVersioning: true,
        defaultVersioningBehavior: 'PINNED',
      },
    }),
  ];
  const running = Promise.all(workers.map((worker) => worker.run()));
  const outputs = new Map<string, readonly Output[]>();
  try {
    for (const [name, lines] of Object.entries(lists)) {
      const found: Output[] = [];
      for (const line of lines) {
        const begun = performance.now();
        found.push(await run(line, engine.connection.address ?? ''));
        const took = Math.round(performance.now() - begun);
        if (took > SLOW_MS) process.stderr.write(`${kind}: ${took} ms: temporal ${line.args.join(' ')}\n`);
      }
      outputs.set(name, found);
    }
  } finally {
    for (const worker of workers) worker.shutdown();
    await running;
    await connection.close();
    await engine.stop();
  }
  return outputs;
}

function doubled(value: number): Promise<number> {
  return Promise.resolve(2 * value);
}

function broken(): Promise<never> {
  return Promise.reject(ApplicationFailure.nonRetryable('it broke', 'Broken', { code: 7 }));
}

function held(): Promise<string> {
  return Promise.reject(new CompleteAsyncError());
}

async function run({ args, until }: Line, address: string): Promise<Output> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const output = await temporal([...args, '--address', address, '--identity', 'cli'], address);
    if (until === undefined || until.test(output.text) || Date.now() > deadline) return output;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

function temporal(args: readonly string[], address = ''): Promise<Output> {
  return new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: '1', HOME: folder };
    const options = { env, timeout: PATIENCE_MS, killSignal: 'SIGKILL' } as const;
    const child = execFile('temporal', args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : HUNG;
      resolve({ code, text: normal(`${stdout}${stderr}`, address) });
    });
    child.stdin?.end();
  });
}
