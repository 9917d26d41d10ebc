import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
// Its test becomes one of this file's.
import '../../docs/examples/recorded-session.test.ts';
import { Product } from '../support/product.ts';
import { idle, prepare, say } from './support.ts';

/** The example of the documentation, run as it stands there on a session that was recorded before. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'example-'));
const providers = path.join(folder, 'providers.yaml');
const product = new Product({ PROVIDERS: providers });

beforeAll(async () => {
  mkdirSync(path.join(folder, 'recordings'));
  writeFileSync(
    providers,
    'providers:\n  recordings: {type: replay, folder: recordings}\nmodels:\n  - {model: "replay:*", provider: recordings}\n',
  );
  await product.start();
  const { client } = product;
  const { id } = await client.beta.sessions.create(await prepare(client));
  await say(client, id, '- bash: echo hello > note.txt; cat note.txt\n- say: Done.');
  const reason = await idle(product, id);
  if (reason !== 'end_turn') throw new Error(`the session to record ended with ${reason}`);
  const recording = path.join(folder, 'recordings/note.json');
  writeFileSync(recording, await (await fetch(`${product.url}/v1/sessions/${id}/recording`)).text());
  Object.assign(process.env, { RECORDING: recording, STEADYHAND_URL: product.url });
}, 360_000);
afterAll(async () => {
  delete process.env['RECORDING'];
  delete process.env['STEADYHAND_URL'];
  await product.dispose();
  rmSync(folder, { recursive: true, force: true });
}, 360_000);
