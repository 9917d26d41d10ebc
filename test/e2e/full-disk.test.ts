import { mountSmallDisk } from '../support/small-disk.ts';
import { Product } from '../support/product.ts';
import { events, idle, made, make, prepare, say } from './support.ts';
import { pacing } from '../support/pacing.ts';

const disk = mountSmallDisk(96);
// Without the right to mount there is no small disk; test/store/storage-guard.test.ts holds the rules without one.
const describeSmallDisk = disk === undefined ? describe.skip : describe;
const product = new Product({ STORAGE_RESERVE_MIB: '8' }, disk?.dir);

beforeAll(async () => {
  if (disk !== undefined) await product.start();
}, 120_000);
afterAll(async () => {
  if (disk === undefined) return;
  disk.free();
  await product.stop();
  disk.close();
}, 120_000);

async function health(): Promise<{ status: number; store: { status: string; reason: string | null } }> {
  const answer = await fetch(`${product.url}/health`);
  const { store } = (await answer.json()) as { store: { status: string; reason: string | null } };
  return { status: answer.status, store };
}

async function healthIs(status: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  const pause = pacing();
  while ((await health()).status !== status) {
    if (Date.now() > deadline) throw new Error(`the health is not ${status} in time\n${product.stderr}`);
    await pause();
  }
}

describeSmallDisk('a small disk', () => {
  test('a session on a disk that fills up says so and ends its turn, and the next one works when there is room', async () => {
    const { client } = product;
    const { agent, environment_id } = await prepare(client);
    const session = await client.beta.sessions.create({ agent, environment_id });
    const other = await client.beta.sessions.create({ agent, environment_id });
    const wait = 'touch here; until [ -e go ]; do sleep 0.05; done';
    await say(client, session.id, `- bash: ${wait}\n- computer: {action: screenshot}\n- bash: echo more`);
    await made(product, session.id, 'here');
    disk?.fill();
    await make(product, session.id, 'go');

    expect(await idle(product, session.id, 120_000)).toBe('retries_exhausted');
    const log = await events(client, session.id);
    const errors = log.filter((event) => event.type === 'session.error');
    expect(JSON.stringify(errors)).toMatch(/the disk of .* is full .*: free some room there/);
    const { status, store } = await health();
    expect([status, store.status]).toEqual([503, 'full']);
    expect(store.reason).toMatch(new RegExp(`^the disk of ${disk?.dir} is full: \\d+ bytes are free$`));
    await expect(client.beta.sessions.create({ agent, environment_id })).rejects.toMatchObject({
      status: 507,
      error: { error: { details: { error_code: 'storage_full' } } },
    });
    await expect(say(client, other.id, 'hello')).rejects.toMatchObject({ status: 507 });
    await client.beta.sessions.events.send(session.id, { events: [{ type: 'user.interrupt' }] });
    await client.beta.sessions.delete(other.id);
    await expect(client.beta.sessions.retrieve(other.id)).rejects.toMatchObject({ status: 404 });

    disk?.free();
    await healthIs(200);
    await say(client, session.id, '- bash: echo again');
    expect(await idle(product, session.id)).toBe('end_turn');
  }, 360_000);
});
