import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ApiAnswer } from '../../server/index.ts';
import { until } from '../engine/until.ts';
import { Product, productForAll } from '../support/product.ts';
import { idle, prepare, say } from './support.ts';

/** The built product tells of its own sessions' workflows, and lets a key of the keys file see them when its entry says so. */

const KEYS = {
  open: 'sk-the-operator-0123456789',
  reader: 'sk-the-reader-0123456789',
  plain: 'sk-plain-0123456789',
};
const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'steadyhand-keys-')), 'keys.yaml');
fs.writeFileSync(
  file,
  `keys:\n  - {name: reader, key: ${KEYS.reader}, workflows: read}\n  - {name: plain, key: ${KEYS.plain}}\n`,
  { mode: 0o600 },
);

const open = productForAll();
const keyed = new Product({ API_KEY: KEYS.open, API_KEYS: file });

beforeAll(() => keyed.start(), 120_000);

afterAll(async () => {
  // It holds nothing that has to be deleted through its API.
  await keyed.stop();
  for (const folder of [keyed.dataDir, path.dirname(file)]) fs.rmSync(folder, { recursive: true });
}, 60_000);

const ask = async <T>(place: string): Promise<T> => (await (await fetch(open.url + place)).json()) as T;

test('a session’s workflow is found, described and explained', async () => {
  const { agent, environment_id } = await prepare(open.client);
  const { id } = await open.client.beta.sessions.create({ agent, environment_id });
  await say(open.client, id, '- say: Hello.');
  expect(await idle(open, id)).toBe('end_turn');
  const query = new URLSearchParams({ query: `SteadyhandSession = '${id}'` }).toString();
  const { data } = await ask<ApiAnswer<'GET /v1/workflows'>>(`/v1/workflows?${query}`);
  expect(data.map(({ workflow_id, workflow_type }) => [workflow_id, workflow_type])).toEqual([
    [`session/${id}`, 'session'],
  ]);
  const place = `/v1/workflows/${encodeURIComponent(`session/${id}`)}`;
  const workflow = await ask<ApiAnswer<'GET /v1/workflows/{workflow_id}'>>(place);
  expect(workflow).toMatchObject({
    status: 'running',
    explainable: true,
    task_queue: expect.stringMatching(/^steadyhand-/) as unknown,
  });
  const explanation = async (): Promise<ApiAnswer<'GET /v1/workflows/{workflow_id}/explanation'>> =>
    await ask(`${place}/explanation`);
  // The log says that the session is idle shortly before the workflow is.
  await until(async () => (await explanation()).explanation?.['state'] === 'idle');
  const told = await explanation();
  expect(told).toMatchObject({ known: true, machine: { id: 'session' }, explanation: { divergence: null } });
  expect(told.steps.map((step) => step['to'])).toContain('request.asking');
  const takes = await ask<ApiAnswer<'GET /v1/workflows/{workflow_id}/interface'>>(`${place}/interface`);
  expect(takes.updates.map(({ name }) => name)).toContain('send');
}, 360_000);

test('a key sees workflows when its entry says so', async () => {
  const statusFor = async (key: string): Promise<number> =>
    (await fetch(`${keyed.url}/v1/workflows`, { headers: { 'x-api-key': key } })).status;
  expect(await Promise.all([KEYS.open, KEYS.reader, KEYS.plain].map(statusFor))).toEqual([200, 200, 403]);
}, 120_000);
