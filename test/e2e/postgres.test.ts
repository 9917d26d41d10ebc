import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describeWithPrivatePostgres, privatePostgres, type TestPostgres } from '../support/postgres.ts';
import { Product } from '../support/product.ts';
import { events, idle, prepare, resultTexts, say, until } from './support.ts';

/** Those of clients and of secrets, which a store that others share needs. */
const KEYS = { API_KEY: 'sk-postgres-0123456789', SECRETS_KEY: randomBytes(32).toString('hex') };

describeWithPrivatePostgres('the product with its store in PostgreSQL', () => {
  let server: TestPostgres;
  let product: Product;

  beforeAll(async () => {
    server = await privatePostgres();
    product = new Product({ STORE: await server.database(), ...KEYS });
    await product.start();
  }, 360_000);

  afterAll(async () => {
    try {
      await product.dispose();
    } finally {
      await server.close();
    }
  }, 360_000);

  it('goes on with a session after the database and then the product were killed, with nothing done twice', async () => {
    const { agent, environment_id } = await prepare(product.client);
    const { id } = await product.client.beta.sessions.create({ agent, environment_id });
    const steps = Array.from({ length: 10 }, (_, n) => ({ bash: `echo ${n} >> trace; sleep 0.1` }));
    await say(product.client, id, JSON.stringify([...steps, { bash: 'paste -sd, trace' }]));
    await until(product, id, 'the third result', (log) => resultTexts(log).length >= 3);
    await server.crash();
    await server.start();
    await until(product, id, 'the sixth result', (log) => resultTexts(log).length >= 6);
    await product.kill();
    await product.start();
    expect(await idle(product, id)).toBe('end_turn');
    expect(resultTexts(await events(product.client, id)).at(-1)).toBe('0,1,2,3,4,5,6,7,8,9');
  }, 360_000);

  it('says in one line at its start why the database cannot be used, and shows no password', async () => {
    const url = new URL(await server.database());
    url.password = 'not-to-be-shown';
    url.pathname = '/no_such_database';
    const folder = mkdtempSync(path.join(os.tmpdir(), 'steadyhand-'));
    const unknown = new Product({ STORE: url.href, ...KEYS }, folder);
    await expect(unknown.start()).rejects.toThrow(
      /ready:\npostgres:\/\/127\.0\.0\.1:\d+\/no_such_database cannot be used: database "no_such_database" does not exist\n$/,
    );
    expect(unknown.stderr).not.toContain('not-to-be-shown');
    const wrong = new Product({ STORE: 'mysql://root:not-to-be-shown@host/db', ...KEYS }, folder);
    await expect(wrong.start()).rejects.toThrow(
      /STORE=\S* is not allowed: postgres:\/\/user:password@host:port\/database/,
    );
    expect(wrong.stderr).not.toContain('not-to-be-shown');
    rmSync(folder, { recursive: true, force: true });
  }, 120_000);
});
