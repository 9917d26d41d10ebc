import { storeArchives } from '../../app/snapshot-archives.ts';
import { ConnectionLostError } from '../../sandbox/client/connection/daemon-connection.ts';
import type { SandboxLink } from '../../sandbox/client/connection/link.ts';
import { SandboxPool } from '../../sandbox/client/hosts/sandbox-pool.ts';
import type { Sandboxes } from '../../sandbox/client/sandboxes.ts';
import { SandboxSnapshots } from '../../sandbox/client/snapshots.ts';
import { MemberProcess } from '../sandbox/helpers/member-process.ts';
import { PoolServer } from '../sandbox/helpers/pool-server.ts';
import { TestSandboxes, until } from '../sandbox/helpers/sandboxes.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { entriesBelow } from '../support/entries-below.ts';

const TOKEN = 'a token that both sides know';
/** Names, kinds, modes, times to the second, links, targets and contents, in order. */
const STATE =
  'find . -mindepth 1 -not -type p -not -name ".config" -not -path "*/.*" -printf "%p %m %y %Ts %n %l\\n" | sort; ' +
  'find . -type f -not -path "*/.*" -exec sha256sum {} + | sort';

/** Two pool machines with room for one sandbox each, so that a second sandbox is on another machine. */
describe('snapshots of sandboxes on pool machines', () => {
  const stores = temporaryStores();
  let test: TestSandboxes;
  let server: PoolServer;
  let client: Sandboxes;
  let snapshots: SandboxSnapshots;
  const members: MemberProcess[] = [];
  beforeAll(async () => {
    test = TestSandboxes.open();
    const { files } = await stores.open();
    const logger = { info: () => undefined, warn: () => undefined };
    const pool = new SandboxPool({ dir: test.dir, token: TOKEN, waitMs: 20_000, logger });
    client = test.client({ isolation: 'remote', pool, archives: storeArchives(files) });
    snapshots = new SandboxSnapshots(client);
    server = await PoolServer.open(pool);
    const env = {
      SANDBOX_POOL_TOKEN: TOKEN,
      SANDBOX_ISOLATION: 'none',
      SANDBOX_CAPACITY: '1',
      SANDBOX_SPARES: '0',
      SANDBOX_SERVER: server.url,
    };
    for (const _ of [1, 2]) members.push(await MemberProcess.start(test.memberEntry, env));
    await until(async () => (await pool.figures()).free === 2);
  });
  afterAll(async () => {
    for (const { id } of await client.list()) await client.delete(id);
    await Promise.all(members.map((member) => member.stop()));
    server.close();
    await test.close();
  });
  const left = (): readonly string[] =>
    members.flatMap(({ dir }) => entriesBelow(dir).filter((path) => /snap_[0-9a-f]+$/.test(path)));

  it('are given to a sandbox on another machine, also when the first one is gone', async () => {
    const one = await client.create({ id: 'sbx_archive_one' });
    await test.text(
      client,
      one.id,
      'mkdir -p a/b empty; echo one > a/one; chmod 640 a/one; ln a/one a/b/again; ln -s /etc/passwd link; ' +
        'truncate -s 50M sparse; echo end >> sparse; touch -d "2001-02-03 04:05:06" a/one; mkfifo pipe; ' +
        'echo odd > "$(printf "x\\377y\\nz")"; mkdir -m 500 closed',
    );
    const before = await test.text(client, one.id, STATE);
    const taken = await snapshots.take(one.id);
    expect(taken).toMatchObject({ sandbox_id: one.id, status: 'ready', skipped: 1 });
    expect(await snapshots.list(one.id)).toEqual([taken]);
    // The store has it, and the machine's own copy has gone.
    expect(left()).toEqual([]);
    const two = await client.create({ id: 'sbx_archive_two', snapshotId: taken.id });
    expect(await test.text(client, two.id, STATE)).toContain(before);
    await client.delete(one.id);
    expect(await snapshots.listAll()).toEqual([taken]);
    expect(await snapshots.find(taken.id)).toEqual(taken);

    await test.text(client, two.id, 'rm -rf a sparse');
    expect(await snapshots.restore(two.id, taken.id)).toEqual(taken);
    expect(await test.text(client, two.id, STATE)).toContain(before);
    expect(left()).toEqual([]);
    expect(await snapshots.list(two.id)).toEqual([]);
    await client.delete(two.id);
    expect(await snapshots.removeAny(taken.id)).toBe(true);
  });

  it('leave no copy on a machine when the connection is lost right before it is removed', async () => {
    let cut = false;
    const cutting = (link: SandboxLink): SandboxLink => ({
      call: async (method, target, options) => {
        if (method === 'DELETE' && cut) {
          cut = false;
          throw new ConnectionLostError('the test cuts it');
        }
        return await link.call(method, target, options);
      },
      stream: (method, target, options) => link.stream(method, target, options),
      upgrade: (...given) => link.upgrade(...given),
    });
    const unsteady = new SandboxSnapshots({
      reach: (id, work) => client.reach(id, (link) => work(cutting(link))),
      get: (id) => client.get(id),
      snapshots: client.snapshots,
      archives: client.archives,
    });
    const { id } = await client.create({ id: 'sbx_archive_four' });
    await test.text(client, id, 'echo kept > file');
    cut = true;
    const taken = await unsteady.take(id);
    expect(cut).toBe(false);
    expect(await snapshots.find(taken.id)).toEqual(taken);
    expect(left()).toEqual([]);
    await test.text(client, id, 'echo changed > file');
    cut = true;
    expect(await unsteady.restore(id, taken.id)).toEqual(taken);
    expect(cut).toBe(false);
    expect(await test.text(client, id, 'cat file')).toContain('kept');
    expect(left()).toEqual([]);
    await client.delete(id);
    expect(await snapshots.removeAny(taken.id)).toBe(true);
  });

  it('are what a sandbox begins with once, however often its creation is repeated', async () => {
    const one = await client.create({ id: 'sbx_archive_three' });
    await test.text(client, one.id, 'echo kept > file');
    const { id: snapshotId } = await snapshots.take(one.id);
    await client.delete(one.id);
    const request = { idempotency: { key: 'the key', request: 'the request' }, snapshotId };
    const { id } = await client.create(request);
    expect(await test.text(client, id, 'cat file')).toContain('kept');
    await test.text(client, id, 'echo changed > file');
    expect((await client.create(request)).id).toBe(id);
    expect(await test.text(client, id, 'cat file')).toBe('changed');
    expect(await snapshots.removeAny(snapshotId)).toBe(true);
    expect(await snapshots.removeAny(snapshotId)).toBe(false);
    await expect(snapshots.restore(id, snapshotId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(client.create({ snapshotId })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are deleted by their sandbox, which has only its own', async () => {
    const [other] = await client.list();
    const one = await client.create({ id: 'sbx_archive_four' });
    const { id } = await snapshots.take(one.id);
    expect(await snapshots.remove(other?.id ?? '', id)).toBe(false);
    expect(await snapshots.remove(one.id, id)).toBe(true);
    expect(await snapshots.list(one.id)).toEqual([]);
    expect(await snapshots.listAll()).toEqual([]);
  });
});
