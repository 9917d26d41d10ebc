import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { MemberProcess } from '../sandbox/helpers/member-process.ts';
import { openStore } from '../../store/index.ts';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { describeWithPostgres, openPostgres, type TestPostgres } from '../support/postgres.ts';
import { Product } from '../support/product.ts';
import { replayHistories } from '../support/replay-histories.ts';
import { type S3TestServer, startS3Server } from '../support/s3-server.ts';
import { events, type Events, idle, made, prepare, resultTexts, say, until } from './support.ts';

const API_KEY = 'sk-moved-0123456789';
const POOL_TOKEN = 'the-token-of-this-pool';

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The bytes of the last picture in a log. */
function pictureIn(log: Events): Buffer {
  const data = [
    ...JSON.stringify(log).matchAll(
      /"media_type":"image\/png","data":"([^"]+)"|"data":"([^"]+)","media_type":"image\/png"/g,
    ),
  ].at(-1);
  return Buffer.from(data?.[1] ?? data?.[2] ?? '', 'base64');
}

/** One machine with everything in its folder, and a cluster's parts that nobody works with yet. */
describeWithPostgres('an installation of one machine', () => {
  let engine: TestEngine;
  let postgres: TestPostgres;
  let objects: S3TestServer;
  let old: Product;
  let member: MemberProcess | undefined;
  let moved: Product | undefined;

  beforeAll(async () => {
    [engine, postgres, objects] = await Promise.all([startTestEngine(), openPostgres(), startS3Server()]);
    old = new Product();
    await old.start();
  }, 360_000);

  afterAll(async () => {
    await moved?.stop();
    await member?.stop();
    if (moved !== undefined) rmSync(moved.dataDir, { recursive: true, force: true });
    // Its computers run on.
    await old.stop();
    await old.start();
    await old.dispose();
    await Promise.all([engine.stop(), postgres.close(), objects.close()]);
  }, 360_000);

  const env = (): NodeJS.ProcessEnv => ({
    ...process.env,
    DATA_DIR: old.dataDir,
    AWS_ACCESS_KEY_ID: objects.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: objects.credentials.secretAccessKey,
  });
  const argsOf = (to: string): string[] => [
    'dist/main.mjs',
    'move',
    `--to=${to}`,
    `--blobs=${objects.address}`,
    `--histories=${path.join(old.dataDir, 'histories')}`,
  ];

  async function move(to: string, args = argsOf(to)): Promise<Run> {
    try {
      return { code: 0, ...(await promisify(execFile)(process.execPath, args, { env: env() })) };
    } catch (error) {
      return error as Run;
    }
  }

  test('goes on as a cluster: open sessions end their turns, nothing is done twice, and lost computers are told', async () => {
    const { agent, environment_id } = await prepare(old.client, { bash: 'always_allow' });
    const create = async (more: object = {}): Promise<string> =>
      (await old.client.beta.sessions.create({ agent, environment_id, ...more } as never)).id;
    const [resting, busy, secret] = [
      await create(),
      await create(),
      await create({ secrets: { TOKEN: 'a-secret-value' } }),
    ];
    await say(old.client, resting, '- bash: echo one >> trace\n- computer: { action: screenshot }');
    expect(await idle(old, resting)).toBe('end_turn');
    const begun = {
      bash: 'echo 1 >> trace; touch begun; until test -e go; do sleep 0.1; done; echo 2 >> trace',
    };
    await say(old.client, busy, JSON.stringify([begun]));
    await made(old, busy, 'begun');
    const traceOfBusy = path.join(old.dataDir, 'sandboxes', busy.replace('sesn_', 'sbx_'), 'workspace/trace');
    const to = await postgres.database();

    const refused = await move(to);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      `DATA_DIR=${old.dataDir} is in use by another Steadyhand; stop that one or choose another folder\n`,
    ]);
    await old.kill();
    // A move that is killed while it waits for the object store.
    const asked = new Promise<void>((resolve) => {
      objects.fault = ({ method }) => {
        if (method !== 'PUT') return undefined;
        resolve();
        return 'silent';
      };
    });
    const killed = spawn(process.execPath, argsOf(to), { env: env(), stdio: 'ignore' });
    const gone = once(killed, 'exit');
    await asked;
    killed.kill('SIGKILL');
    expect(await gone).toEqual([null, 'SIGKILL']);
    objects.fault = () => undefined;
    const run = await move(to);
    expect({ ...run, stdout: '' }).toMatchObject({ code: 0 });
    expect(run.stdout).toMatch(/^Moved the installation inst_\w+: 3 sessions, \d+ events/);
    expect(run.stdout).toContain('Computers of sessions that stay here and count as lost: 2');
    expect(run.stdout).toContain(`a copy of ${old.dataDir}/secrets.key`);

    // The histories of the embedded engine are files that replay.
    const histories = path.join(old.dataDir, 'histories');
    const read = (name: string): unknown => JSON.parse(readFileSync(path.join(histories, name), 'utf8'));
    const { runs } = read('index.json') as { runs: readonly { file: string; workflowId: string }[] };
    expect(runs.filter(({ workflowId }) => workflowId.startsWith('session/sesn_'))).toHaveLength(2);
    expect(
      runs
        .map(({ file }) => file)
        .concat('index.json')
        .toSorted(),
    ).toEqual(readdirSync(histories).toSorted());
    expect(run.stdout).toContain(`Histories of the embedded engine in ${histories}: ${runs.length} files`);
    const workflowBundle = { code: readFileSync('dist/workflow-bundle.js', 'utf8') };
    await replayHistories(
      workflowBundle,
      runs.map(({ file, workflowId }) => ({ workflowId, history: read(file) as object })),
    );

    moved = new Product({
      ...engine.env,
      STORE: to,
      BLOBS: objects.address,
      AWS_ACCESS_KEY_ID: objects.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: objects.credentials.secretAccessKey,
      API_KEY,
      SECRETS_KEY_FILE: path.join(old.dataDir, 'secrets.key'),
      SANDBOX_ISOLATION: 'remote',
      SANDBOX_POOL_TOKEN: POOL_TOKEN,
    });
    await moved.start();
    member = await MemberProcess.start(path.resolve('dist/sandbox-member.mjs'), {
      SANDBOX_POOL_TOKEN: POOL_TOKEN,
      SANDBOX_SERVER: moved.url,
      SANDBOX_CAPACITY: '3',
    });
    expect(await idle(moved, busy)).toBe('end_turn');
    // The script ends with the first command that fails.
    await say(moved.client, busy, '- bash: echo 3 >> trace; cat trace');
    await until(moved, busy, 'a new computer', (all) => resultTexts(all).at(-1) === '3');
    const log = await events(moved.client, busy);
    expect(resultTexts(log)).toEqual([
      expect.stringMatching(/computer was lost.*outcome is unknown.*was not repeated/s),
      '3',
    ]);
    const errors = log.filter(({ type }) => type === 'session.error');
    expect(errors.map((each) => JSON.stringify(each))).toEqual([
      expect.stringContaining('it stayed on the machine'),
    ]);
    const uses = log.flatMap((event) => (event.type === 'agent.tool_use' ? [event.id] : []));
    const results = log.flatMap((event) => (event.type === 'agent.tool_result' ? [event.tool_use_id] : []));
    expect(results).toEqual(uses);
    // The old computer was given its command once.
    expect(readFileSync(traceOfBusy, 'utf8')).toBe('1\n');

    // Its picture is where it was.
    const picture = pictureIn(await events(moved.client, resting));
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    await say(moved.client, resting, '- bash: echo two >> trace');
    await until(moved, resting, 'the loss', (all) =>
      /computer was lost.*was not performed/s.test(resultTexts(all).at(-1) ?? ''),
    );
    expect(await idle(moved, resting)).toBe('end_turn');
    await say(moved.client, resting, '- bash: echo three >> trace; cat trace');
    await until(moved, resting, 'the answer', (all) => resultTexts(all).at(-1) === 'three');
    await say(moved.client, secret, '- bash: test "$TOKEN" = a-secret-valu""e && echo opened');
    await until(moved, secret, 'the secret', (all) => resultTexts(all).at(-1) === 'opened');
    for (const id of [resting, busy, secret]) {
      const headers = { 'x-api-key': API_KEY, 'anthropic-version': '2023-06-01' };
      const checked = await fetch(`${moved.url}/v1/sessions/${id}/verify`, { headers });
      expect(await checked.json()).toMatchObject({ ok: true });
    }
    // The command on the old machine ends there.
    writeFileSync(path.join(path.dirname(traceOfBusy), 'go'), '');
    expect(existsSync(path.join(old.dataDir, 'store', 'store.db'))).toBe(true);
    expect((await move(to)).stderr).toMatch(/is in use: a Steadyhand works with it/);

    // Without an object store the bytes are put into the data folder, where a server with that database looks for them.
    const alone = await postgres.database();
    expect(await move(alone, ['dist/main.mjs', 'move', `--to=${alone}`])).toMatchObject({ code: 0 });
    const store = await openStore({ dir: path.join(old.dataDir, 'store'), postgres: alone });
    try {
      expect(Buffer.from(await store.blobs.get(sha256(picture))).equals(picture)).toBe(true);
    } finally {
      await store.close();
    }
  }, 360_000);
});
