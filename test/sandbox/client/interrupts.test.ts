import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { layoutOf } from '../../../sandbox/layout.ts';
import { TestSandboxes, textOf, until } from '../helpers/sandboxes.ts';
import { madeForAll, openedForAll } from '../../support/opened.ts';

const NOT_BEGUN = 'interrupted before it began; nothing was done';

/** An interrupt answers whatever the daemon does, and what it came before never begins. */
describe('an interrupt', () => {
  let id: string;
  const test = openedForAll(() => TestSandboxes.open());
  const client = madeForAll(() => test.client());
  beforeAll(async () => {
    ({ id } = await client.create());
  });
  const made = (name: string): boolean => existsSync(join(layoutOf(test.folderOf(id)).workspace, name));

  it('of a key that has not come yet: its action is not begun, by whichever process', async () => {
    expect(await client.interrupt(id, 'early')).toEqual({ running: false, answered: true });
    const outcome = await test.bash(test.client(), id, 'touch early', 'early');
    expect(outcome).toMatchObject({ status: 'interrupted', is_error: true, content: NOT_BEGUN });
    expect(made('early')).toBe(false);
    // It stands under its key.
    expect(await test.bash(client, id, 'touch early', 'early')).toEqual(outcome);
  });

  it('of an action that waits for its turn: it is not begun', async () => {
    const before = test.bash(client, id, 'touch waited-for; until [ -e go ]; do sleep 0.01; done', 'first');
    await until(() => made('waited-for'));
    const waiting = test.bash(client, id, 'touch waited', 'waited');
    await until(async () => (await client.interrupt(id, 'waited')).running);
    await client.interrupt(id, 'first');
    expect((await before).status).toBe('interrupted');
    expect(textOf(await waiting)).toBe(NOT_BEGUN);
    expect(made('waited')).toBe(false);
  });

  it('while its daemon is away: nothing runs, and it is not begun by the next daemon', async () => {
    test.killDaemon(id);
    await until(async () => (await client.get(id)).status === 'stopped');
    expect(await client.interrupt(id, 'away')).toEqual({ running: false, answered: true });
    expect(textOf(await test.bash(client, id, 'touch away', 'away'))).toBe(NOT_BEGUN);
    expect(made('away')).toBe(false);
  });

  it('while its daemon is killed and started again, over and over: what was interrupted never begins', async () => {
    for (let round = 0; round < 3; round += 1) {
      test.killDaemon(id);
      const key = `restarted-${round}`;
      const running = test.bash(client, id, `touch ${key}; sleep 60`, key);
      await client.interrupt(id, key);
      expect((await running).status).toBe('interrupted');
      expect(made(key)).toBe(false);
    }
  });

  it('while its daemon hangs: it answers, and the action is stopped when the daemon goes on', async () => {
    const running = test.bash(client, id, 'touch hanging; sleep 60', 'hanging');
    await until(() => made('hanging'));
    const daemon = test.daemonPid(id);
    process.kill(daemon, 'SIGSTOP');
    expect(await client.interrupt(id, 'hanging')).toEqual({ running: false, answered: false });
    process.kill(daemon, 'SIGCONT');
    expect((await running).status).toBe('interrupted');
  });

  it('of an action that is over changes nothing', async () => {
    const outcome = await test.bash(client, id, 'echo over', 'over');
    expect(await client.interrupt(id, 'over')).toEqual({ running: false, answered: true });
    expect(await test.bash(client, id, 'echo over', 'over')).toEqual(outcome);
  });

  it('of a damaged sandbox answers', async () => {
    const own = await client.create();
    await test.bash(client, own.id, 'true');
    const { writeFileSync } = await import('node:fs');
    test.killDaemon(own.id);
    writeFileSync(layoutOf(test.folderOf(own.id)).ledger, 'damaged\ndamaged\n');
    expect(await client.interrupt(own.id, 'any')).toEqual({ running: false, answered: true });
    await client.delete(own.id);
  });
});
