import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { layoutOf } from '../../../sandbox/layout.ts';
import { TestSandboxes, textOf, until } from '../helpers/sandboxes.ts';
import { madeForAll, openedForAll } from '../../support/opened.ts';

const KILLS = 8;

/** A small generator with a seed (xorshift), so that a failing run can be repeated. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

describe('an action', () => {
  let id: string;
  const test = openedForAll(() => TestSandboxes.open());
  const client = madeForAll(() => test.client());
  beforeAll(async () => {
    ({ id } = await client.create());
  });

  /** Lines of a file in the workspace, read past the sandbox. */
  function linesOf(name: string): string[] {
    try {
      return readFileSync(join(layoutOf(test.folderOf(id)).workspace, name), 'utf8')
        .split('\n')
        .slice(0, -1);
    } catch {
      return [];
    }
  }

  it('is performed at most once under SIGKILL of the daemon at any moment, and done means once', async () => {
    const random = generator(20_241_022);
    const outcomes = new Map<string, string>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const keys = [0, 1, 2].map((part) => `kill-${kill}-${part}`);
      const all = keys.map((key) =>
        test.bash(client, id, `echo ${key} >> counted; sleep 0.05; echo ${key}`, key),
      );
      // Somewhere between two lines that the actions write, some turns of the event loop later.
      const lines = linesOf('counted').length + Math.floor(random() * 3);
      await Promise.race([until(() => linesOf('counted').length >= lines), Promise.all(all)]);
      for (let turns = Math.floor(random() * 400); turns > 0; turns -= 1) await nextTurn();
      test.killDaemon(id);
      for (const [index, outcome] of (await Promise.all(all)).entries())
        outcomes.set(keys[index]!, outcome.status);
    }
    const counted = linesOf('counted');
    expect(counted).toEqual([...new Set(counted)]);
    for (const [key, status] of outcomes) {
      expect(['done', 'unknown']).toContain(status);
      expect(status === 'unknown' || counted.includes(key)).toBe(true);
    }
    // At most the one action that was under way at each kill is in doubt.
    expect([...outcomes.values()].filter((status) => status === 'unknown').length).toBeLessThanOrEqual(KILLS);
    for (const [key, status] of outcomes) {
      const again = await test.bash(client, id, `echo ${key} >> counted; sleep 0.05; echo ${key}`, key);
      expect(again.status).toBe(status);
    }
    expect(linesOf('counted')).toEqual(counted);
  }, 120_000);

  it('that was under way when the daemon died is unknown, and stays so', async () => {
    const running = test.bash(client, id, 'echo begun >> doubtful; sleep 60', 'doubtful');
    await until(() => linesOf('doubtful').length === 1);
    test.killDaemon(id);
    expect(textOf(await running)).toMatch(/^unknown: .*before its outcome/);
    expect((await test.bash(client, id, 'echo begun >> doubtful; sleep 60', 'doubtful')).status).toBe(
      'unknown',
    );
    expect(linesOf('doubtful')).toEqual(['begun']);
  });

  it('after it is told that the computer is another one, once', async () => {
    test.killDaemon(id);
    expect(await test.text(client, id, 'echo first')).toMatch(
      /^<system>The computer was started anew[^]*\nfirst$/,
    );
    expect(await test.text(client, id, 'echo second')).toBe('second');
  });

  it('asked for by two callers at once, of two processes, happens once', async () => {
    const other = test.client();
    const command = 'echo once >> shared; sleep 0.2; echo shared';
    const [one, two] = await Promise.all([
      test.bash(client, id, command, 'shared'),
      test.bash(other, id, command, 'shared'),
    ]);
    expect(one).toEqual(two);
    expect(textOf(one)).toBe('shared');
    expect(linesOf('shared')).toEqual(['once']);
  });

  it('goes on when its caller goes away, who finds the outcome later', async () => {
    const command =
      'echo begun >> left; until [ -e left-alone ]; do sleep 0.01; done; echo ended >> left; echo here';
    const leaving = new AbortController();
    const tool = { type: 'bash_20241022', name: 'bash' };
    const call = client.perform(id, { key: 'left', tool, input: { command } }, { signal: leaving.signal });
    await until(() => linesOf('left').length === 1);
    leaving.abort(new Error('gone'));
    await expect(call).rejects.toThrow('gone');
    writeFileSync(join(layoutOf(test.folderOf(id)).workspace, 'left-alone'), '');
    expect(textOf(await test.bash(client, id, command, 'left'))).toBe('here');
    expect(linesOf('left')).toEqual(['begun', 'ended']);
  });

  it('is not waited for longer than its caller wants to, whatever is under way', async () => {
    test.killDaemon(id);
    const call = client.perform(
      id,
      { key: 'impatient', tool: { type: 'bash_20241022', name: 'bash' }, input: { command: 'true' } },
      { signal: AbortSignal.timeout(1) },
    );
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(await test.text(client, id, 'echo on')).toMatch(/on$/);
  });

  it('is refused under a key that stands for another one', async () => {
    await test.bash(client, id, 'echo a', 'taken');
    await expect(test.bash(client, id, 'echo b', 'taken')).rejects.toMatchObject({ code: 'key_reused' });
  });

  it('is interrupted by its key, keeps what it had put out, and the shell goes on', async () => {
    await test.bash(client, id, 'kept=value');
    const running = test.bash(client, id, 'echo begun; echo x >> interrupted; sleep 60', 'to-interrupt');
    await until(() => linesOf('interrupted').length === 1);
    expect(await client.interrupt(id, 'to-interrupt')).toEqual({ running: true, answered: true });
    const outcome = await running;
    expect(outcome).toMatchObject({ status: 'interrupted', is_error: true });
    expect(textOf(outcome)).toMatch(/^begun\ninterrupted: /);
    expect(
      await test.bash(client, id, 'echo begun; echo x >> interrupted; sleep 60', 'to-interrupt'),
    ).toEqual(outcome);
    expect(await client.interrupt(id, 'to-interrupt')).toEqual({ running: false, answered: true });
    expect(await test.text(client, id, 'echo $kept')).toBe('value');
  });

  it.each([
    ['an empty key', { key: '', tool: { type: 'bash_20241022', name: 'bash' }, input: {} }],
    ['a long key', { key: 'k'.repeat(257), tool: { type: 'bash_20241022', name: 'bash' }, input: {} }],
    ['no tool', { key: 'no-tool', tool: null as never, input: {} }],
  ])('with %s is refused', async (_name, request) => {
    await expect(client.perform(id, request)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('of an unknown tool is an error for the model', async () => {
    const outcome = await client.perform(id, {
      key: 'unknown-tool',
      tool: { type: 'x_1', name: 'x' },
      input: {},
    });
    expect(outcome).toEqual({
      status: 'done',
      is_error: true,
      content: 'Tool x is invalid: this sandbox has no tool of type x_1',
    });
  });

  it('that stops the guest does not stop the sandbox: interrupted, it is told, and the next one goes on', async () => {
    const running = test.bash(client, id, 'echo begun >> stopping; kill -STOP -1; sleep 60', 'stopping');
    await until(() => linesOf('stopping').length === 1);
    expect(await client.interrupt(id, 'stopping')).toMatchObject({ running: true });
    expect(await running).toMatchObject({ status: 'interrupted', is_error: true });
    expect(await test.text(client, id, 'echo on')).toMatch(/on$/);
  });

  it('that ends the computer itself is told so, and the next one has a new computer', async () => {
    await test.bash(client, id, 'echo kept > file');
    const before = (await client.get(id)).boot;
    const outcome = await test.bash(client, id, 'kill -9 -1; sleep 5');
    expect(outcome).toMatchObject({ status: 'done', is_error: true });
    expect(textOf(outcome)).toMatch(/computer stopped/);
    expect(await test.text(client, id, 'cat file')).toMatch(
      /^<system>The computer was started anew[^]*\nkept$/,
    );
    expect((await client.get(id)).boot).not.toBe(before);
  });
});
