import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import { startEngine } from '../../engine/index.ts';
import { seeded } from '../../test/support/seeded.ts';
import { Product } from '../../test/support/product.ts';
import { scriptAgent } from '../crash/crash-run.ts';
import { spread, writeResult } from '../lib/figures.ts';

/**
 * How long a session stands still when the worker that works on it is killed (kill -9) and another one is there: from the kill to
 * the next result in the event log. A server and two workers as processes of their own, on one store and a real Temporal server:
 * the official dev server (`temporal` on the PATH), or the one at `--address`.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '12' },
    /** Seconds that a step takes. */
    step: { type: 'string', default: '0.3' },
    address: { type: 'string' },
    heartbeat: { type: 'string' },
    sticky: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const kills = Number(values.kills);
const random = seeded(Number(values.seed));
const folder = mkdtempSync(path.join(tmpdir(), 'bench-failover-'));
const engine =
  values.address === undefined
    ? await startEngine({ kind: 'dev-server', dataDir: path.join(folder, 'engine'), port: 0 })
    : undefined;
const address = engine?.address ?? values.address ?? '';
const env = {
  ENGINE: 'cluster',
  TEMPORAL_ADDRESS: address,
  ...(values.heartbeat === undefined ? {} : { HEARTBEAT_TIMEOUT_MS: values.heartbeat }),
  ...(values.sticky === undefined ? {} : { STICKY_TIMEOUT_MS: values.sticky }),
};

/** A data folder of its own, as each worker wants one, with the server's store and sandboxes in it. */
function folderBeside(name: string): string {
  const own = path.join(folder, name);
  mkdirSync(own, { mode: 0o700 });
  for (const shared of ['store', 'sandboxes', 'secrets.key'])
    symlinkSync(path.join(folder, 'server', shared), path.join(own, shared));
  return own;
}

const server = new Product(env, path.join(folder, 'server'), ['--role=server']);
await server.start();
mkdirSync(path.join(folder, 'server/sandboxes'), { recursive: true, mode: 0o700 });
const workers = ['one', 'two'].map((name) => new Product(env, folderBeside(name), ['--role=worker']));
await Promise.all(workers.map((worker) => worker.start()));
const connection = await Connection.connect({ address });
const client = new Client({ connection });

const steps = Array.from({ length: kills * 60 }, (_, n) => ({
  bash: `echo ${n} >> trace; sleep ${values.step}`,
}));
const agent = await scriptAgent(server.client);
const environment = await server.client.beta.environments.create({ name: 'failover' });
const { id } = await server.client.beta.sessions.create({ agent, environment_id: environment.id });
await server.client.beta.sessions.events.send(id, {
  events: [{ type: 'user.message', content: [{ type: 'text', text: JSON.stringify(steps) }] }],
});

/** The number of the newest result in the log; 0 before the first. */
async function newestResult(): Promise<number> {
  const url = `${server.url}/v1/sessions/${id}/events?order=desc&limit=1&types[]=agent.tool_result`;
  const answer = await fetch(url, {
    headers: { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'managed-agents-2026-04-01' },
  });
  const { data } = (await answer.json()) as { data: readonly { id: string }[] };
  const newest = data[0]?.id;
  if (newest !== undefined && newest !== seen.last) {
    seen.last = newest;
    seen.count += 1;
  }
  return seen.count;
}
const seen: { last: string | undefined; count: number } = { last: undefined, count: 0 };

async function nextResult(after: number): Promise<void> {
  while ((await newestResult()) <= after) await pause(10);
}

/** The worker that a step of the session is at now. */
async function working(): Promise<Product> {
  for (;;) {
    const { raw } = await client.workflow.getHandle(`session/${id}`).describe();
    for (const { lastWorkerIdentity } of raw.pendingActivities ?? []) {
      const pid = Number(lastWorkerIdentity?.split('@')[0]);
      const found = workers.find((worker) => worker.pid === pid);
      if (found !== undefined) return found;
    }
    await pause(5);
  }
}

/** What Temporal gave up since then, and when it did: the worker's step, its workflow task, the place in its own queue. */
async function givenUp(since: number): Promise<string> {
  const handle = client.workflow.getHandle(`session/${id}`);
  const { events } = await handle.fetchHistory();
  const told = (events ?? []).flatMap(({ eventTime, ...event }) => {
    const ms = Math.round(tsToMs(eventTime) - since);
    if (ms < 0) return [];
    if (event.workflowTaskTimedOutEventAttributes != null) {
      const { timeoutType } = event.workflowTaskTimedOutEventAttributes;
      return [`workflow task, ${timeoutType === SCHEDULE_TO_START ? 'sticky' : 'started'}, at ${ms} ms`];
    }
    const { attempt = 1 } = event.activityTaskStartedEventAttributes ?? {};
    return attempt != null && attempt > 1 ? [`step, attempt ${attempt} began at ${ms} ms`] : [];
  });
  return told.join('; ') || 'nothing';
}
const SCHEDULE_TO_START = proto.temporal.api.enums.v1.TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START;

const times: number[] = [];
for (let n = 1; n <= kills; n += 1) {
  await nextResult((await newestResult()) + 1);
  await pause(random() * 2000);
  const worker = await working();
  const before = await newestResult();
  const began = performance.now();
  const killedAt = Date.now();
  await worker.kill();
  await nextResult(before);
  const ms = Math.round(performance.now() - began);
  times.push(ms);
  console.log(`${n}: the next result came ${ms} ms after the kill; given up: ${await givenUp(killedAt)}`);
  await worker.start();
}
const trace = await server.client.beta.sessions.retrieve(id);
const summary = {
  kills,
  step_s: Number(values.step),
  heartbeat_ms: values.heartbeat ?? 'default',
  sticky_ms: values.sticky ?? 'default',
  ms: spread(times),
  all: times,
  temporal: engine === undefined ? address : 'dev server',
  cores: cpus().length,
  load: loadavg()[0],
};
writeResult('failover', summary);
console.log(JSON.stringify(summary, null, 2), trace.status);
await connection.close();
await Promise.all(workers.map((worker) => worker.stop()));
await server.dispose();
await engine?.stop();
rmSync(folder, { recursive: true, force: true });
