import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import Anthropic from '@anthropic-ai/sdk';
import { Cluster } from '../../scripts/lib/cluster/cluster.mjs';
import { DEFAULTS } from '../../scripts/lib/cluster/options.mjs';
import { seeded } from '../../test/support/seeded.ts';
import { spread, writeResult } from '../lib/figures.ts';
import { ClientErrors, chaosSession, deleted, retried } from './chaos-session.ts';
import { Faults } from './faults.ts';
import { marksScript } from './marks-script.ts';
import { judge, type Verdict } from './verdict.ts';

/**
 * Sessions on a cluster of real processes while they are killed, stopped, continued and cut off from each other. It needs what
 * `scripts/cluster.mjs` needs (docs/cluster.md). The seed decides the sessions' steps and the order of the faults.
 */
const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '30' },
    steps: { type: 'string', default: '20' },
    /** How many sessions are under way at a time. */
    together: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    servers: { type: 'string', default: '2' },
    workers: { type: 'string', default: '3' },
    members: { type: 'string', default: '5' },
    dir: { type: 'string', default: '.tmp/chaos' },
    temporal: { type: 'string', default: 'postgres' },
    namespaces: { type: 'boolean', default: false },
    calm: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const total = Number(values.sessions);
const runMs = Number(values.minutes) * 60_000;

const cluster = await Cluster.start({
  ...DEFAULTS,
  root: process.cwd(),
  dir: path.resolve(values.dir),
  temporal: values.temporal === 'dev-server' ? 'dev-server' : 'postgres',
  servers: Number(values.servers),
  workers: Number(values.workers),
  inference: 1,
  members: Number(values.members),
  faults: true,
  namespaces: values.namespaces,
  env: { ...process.env, LOG_LEVEL: 'info', SANDBOX_CAPACITY: '4' },
  tell: console.error,
});
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cluster.stop().finally(() => process.exit(1)));
let failed = true;
try {
  failed = await run();
} finally {
  await cluster.stop();
}
process.exit(failed ? 1 : 0);

async function run(): Promise<boolean> {
  const client = new Anthropic({
    baseURL: cluster.url,
    apiKey: cluster.apiKey,
    maxRetries: 0,
    timeout: 30_000,
  });
  const errors = new ClientErrors();
  const made = {
    name: 'chaos',
    model: 'script',
    tools: [
      { type: 'text_editor_20241022', name: 'str_replace_editor' },
      { type: 'bash_20241022', name: 'bash' },
    ] as never,
  };
  const agent = await retried(errors, () => client.beta.agents.create(made));
  const environment = await retried(errors, () =>
    client.beta.environments.create({ name: `chaos-${Date.now()}` }),
  );

  const ending = new AbortController();
  const told: Record<string, number> = {};
  const storm = values.calm ? Promise.resolve() : faultsUntil(ending.signal, told);
  const scripts = seeded(seed);
  const began = Date.now();
  const verdicts: Verdict[] = [];
  const times: number[] = [];
  const bad: string[] = [];
  let next = 0;
  let stuck = 0;

  async function sessions(): Promise<void> {
    while (next < total && Date.now() - began < runMs) {
      next += 1;
      const script = marksScript(Number(values.steps), scripts);
      const outcome = await chaosSession({
        client,
        errors,
        agent: agent.id,
        environment: environment.id,
        script: script.yaml,
        stuckMs: 600_000,
      }).catch((error: unknown) => {
        bad.push(`a session: ${error instanceof Error ? error.message : String(error)}`);
        return undefined;
      });
      if (outcome === undefined) continue;
      if (!outcome.stuck) await deleted(client, errors, outcome.id);
      const verdict = judge(script, outcome.events);
      verdicts.push(verdict);
      times.push(outcome.ms);
      if (outcome.stuck) stuck += 1;
      const wrong =
        outcome.stuck ||
        verdict.silentLoss ||
        !verdict.finished ||
        verdict.lost.length + verdict.repeated.length + verdict.unanswered.length > 0;
      if (wrong) bad.push(`${outcome.id}: ${JSON.stringify({ stuck: outcome.stuck, ...verdict })}`);
      console.log(`${verdicts.length}/${total} ${outcome.id} ${outcome.ms} ms${wrong ? ' WRONG' : ''}`);
    }
  }
  await Promise.all(Array.from({ length: Number(values.together) }, sessions));
  ending.abort();
  await storm;

  const sum = (pick: (verdict: Verdict) => number): number =>
    verdicts.reduce((all, one) => all + pick(one), 0);
  const summary = {
    seed,
    engine: cluster.engine,
    minutes: Math.round((Date.now() - began) / 6000) / 10,
    sessions: verdicts.length,
    steps: sum((verdict) => (verdict.finished ? Number(values.steps) : 0)),
    faults: told,
    lost: sum(({ lost }) => lost.length),
    repeated: sum(({ repeated }) => repeated.length),
    unanswered: sum(({ unanswered }) => unanswered.length),
    silent_losses: sum(({ silentLoss }) => Number(silentLoss)),
    unfinished: sum(({ finished }) => Number(!finished)),
    stuck,
    computers_lost_and_said: sum(({ computersLost }) => computersLost),
    outcome_unknown: sum(({ unknown }) => unknown),
    requests_sent_again: errors.counts,
    session_ms: spread(times),
    wrong: bad,
  };
  writeResult('chaos', summary);
  console.log(JSON.stringify(summary, null, 2));
  return bad.length > 0;
}

/** One fault after the other, each undone before the next begins but for one in three, which overlaps. */
async function faultsUntil(signal: AbortSignal, told: Record<string, number>): Promise<void> {
  const faults = new Faults(cluster, seeded(seed + 1));
  const undoing = new Set<Promise<void>>();
  const busy = new Set<string>();
  while (!signal.aborted) {
    await pause(faults.pauseMs(), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const fault = faults.next();
    const { kind, target, lastsMs } = fault;
    if (busy.has(target)) continue;
    busy.add(target);
    const name = `${kind} ${target.replaceAll(/-\d+/g, '')}`;
    told[name] = (told[name] ?? 0) + 1;
    console.log(`${new Date().toISOString()} fault: ${kind} ${target}, ${lastsMs} ms`);
    const undone = fault
      .begin()
      .then(() => pause(lastsMs))
      .then(() => fault.end())
      .catch((error: unknown) => console.error(`fault ${kind} ${target}: ${String(error)}`))
      .finally(() => {
        busy.delete(target);
        undoing.delete(undone);
      });
    undoing.add(undone);
    if (undoing.size > 2) await Promise.race(undoing);
  }
  await Promise.all(undoing);
}
