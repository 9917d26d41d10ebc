import type Anthropic from '@anthropic-ai/sdk';
import { events, prepare, resultTexts, say } from '../e2e/support.ts';
import { until } from '../engine/until.ts';
import { StartedCluster } from './started.ts';

/**
 * A whole cluster of real processes, each of which is killed in turn. It takes minutes, and programs that are in no package
 * (docs/cluster.md).
 */
const cluster = process.env['STEADYHAND_TEST_CLUSTER'] === '1' ? describe : describe.skip;

const LONG = 600_000;

cluster('a cluster (STEADYHAND_TEST_CLUSTER=1)', () => {
  let running: StartedCluster;
  let client: Anthropic;

  beforeAll(async () => {
    running = await StartedCluster.start(['--servers=2', '--workers=2', '--inference=1', '--members=3']);
    client = running.client;
  }, LONG);

  afterAll(async () => {
    const status = await running.stop();
    if (status !== 0) throw new Error(`the cluster ended with ${status}`);
  }, LONG);

  const made: string[] = [];

  async function session(): Promise<string> {
    const { agent, environment_id } = await prepare(client);
    const { id } = await client.beta.sessions.create({ agent, environment_id });
    made.push(id);
    return id;
  }

  // A session keeps its place in the pool, which has three, until it is deleted.
  afterEach(async () => {
    for (const id of made.splice(0)) await client.beta.sessions.delete(id);
  }, LONG);

  /** Waits for the end of the turn; answers the texts of the results. */
  async function results(id: string): Promise<readonly string[]> {
    await until(async () => {
      const { data } = await client.beta.sessions.events.list(id, { order: 'desc', limit: 1 });
      return data[0]?.type === 'session.status_idle';
    }, LONG).catch(async (error: unknown) => {
      throw new Error(
        `${String(error)}\n${JSON.stringify((await events(client, id)).slice(-3))}\n${running.logs()}`,
      );
    });
    return resultTexts(await events(client, id));
  }

  const trace = Array.from({ length: 10 }, (_, n) => ({ bash: `echo ${n} >> trace; sleep 0.2` }));
  const STEPS = JSON.stringify([...trace, { bash: 'paste -sd, trace' }]);
  const ALL = '0,1,2,3,4,5,6,7,8,9';

  test(
    'carries out the session of the README',
    async () => {
      const id = await session();
      await say(
        client,
        id,
        '- bash: echo hello > note.txt\n- edit: {command: str_replace, path: /home/agent/note.txt, old_str: hello, new_str: good morning}\n- bash: cat note.txt\n- computer: {action: screenshot}\n- say: The note is written.\n',
      );
      const texts = await results(id);
      expect(texts[2]).toContain('good morning');
      expect(texts.at(-1)).toContain('<image>');
    },
    LONG,
  );

  // The servers come first, because what is wrong there is wrong everywhere.
  test.each(['server-1', 'server-2', 'worker-1', 'worker-2', 'inference-1', 'temporal', 's3', 'postgres'])(
    'goes on when %s is killed, and does nothing twice',
    async (name) => {
      await until(() => running.serving(name) !== undefined);
      const id = await session();
      await say(client, id, STEPS);
      await until(async () => resultTexts(await events(client, id)).length >= 3, LONG);
      const before = running.serving(name);
      if (before === undefined) throw new Error(`${name} does not serve`);
      process.kill(before.pid, 'SIGKILL');
      expect((await results(id)).at(-1)).toBe(ALL);
      await until(() => (running.serving(name)?.starts ?? 0) > before.starts, LONG);
    },
    LONG,
  );

  test(
    'a killed machine of the pool comes back with its sandbox, and does nothing twice',
    async () => {
      const id = await session();
      await say(client, id, STEPS);
      await until(async () => resultTexts(await events(client, id)).length >= 3, LONG);
      // The one that holds the session's sandbox is among them.
      for (const name of ['member-1', 'member-2', 'member-3']) {
        const pid = running.serving(name)?.pid;
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
      }
      const texts = await results(id);
      const marks = texts.at(-1)?.split(',') ?? [];
      expect(new Set(marks).size).toBe(marks.length);
      // The action under way when it was killed may be told as one of unknown outcome; no other may be missing.
      const unknown = texts.filter((text) => text.includes('outcome is unknown')).length;
      expect(marks.length).toBeGreaterThanOrEqual(10 - unknown);
    },
    LONG,
  );
});
