import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ActionOutcome } from '@steadyhand/contracts';
import { isAlive } from '../../../sandbox/process-tree.ts';
import { newestInstance } from '../../../sandbox/instance-lock.ts';
import { layoutOf } from '../../../sandbox/layout.ts';
import { asOrdinaryUser } from '../helpers/ordinary-user.ts';
import { TestSandboxes, textOf, until } from '../helpers/sandboxes.ts';
import { openedForAll } from '../../support/opened.ts';
import { computerTool } from '../../support/blocks.ts';

const COMPUTER = computerTool('computer_20241022', 1024, 768);

/** Kills the X server and waits for its end. */
const END_X = 'pkill -9 Xvfb; while pgrep Xvfb >/dev/null; do sleep 0.01; done';

const test = openedForAll(() => TestSandboxes.open());

const describeAsRoot = process.getuid?.() === 0 ? describe : describe.skip;

// Of an ordinary user's the X server is the owner, and opens it again.
describeAsRoot('without a folder for its socket', () => {
  it('there is still a shell and an editor, and the computer tool says why it cannot work', async () => {
    const client = test.client();
    const { id } = await client.create();
    // The X server can make no socket in a folder that it may not write to.
    const { x11 } = layoutOf(test.folderOf(id));
    chownSync(x11, 0, 0);
    chmodSync(x11, 0o555);
    await test.bash(client, id, `${END_X}; rm -f /tmp/.X11-unix/X1; true`);
    const click = (key: string) =>
      client.perform(id, { key, tool: COMPUTER, input: { action: 'screenshot' } });
    let outcome = await click('first');
    for (let round = 0; textOf(outcome) === '[image]' && round < 20; round += 1)
      outcome = await click(`again-${round}`);
    expect(outcome).toMatchObject({ status: 'done', is_error: true });
    expect(textOf(outcome)).toMatch(/^This computer has no display: /);
    await expect(client.screenshot(id)).rejects.toThrow(/has no display/);
    expect(await test.text(client, id, 'echo on')).toBe('on');
    await client.delete(id);
  });
});

describe('without a desktop', () => {
  it('an X server that the agent has ended is started again, and the model is told once for each loss', async () => {
    const client = test.client();
    const { id } = await client.create();
    const shot = (key: string): Promise<ActionOutcome> =>
      client.perform(id, { key, tool: COMPUTER, input: { action: 'screenshot' } });
    for (const round of ['first', 'second']) {
      await client.screenshot(id);
      const ended = await test.text(client, id, END_X);
      expect((await client.screenshot(id)).length).toBeGreaterThan(100);
      // With the result of the action that ended it, or with the next.
      const told = `${ended}${textOf(await shot(round))}`;
      expect(told.match(/<system>The X server ended: all windows/g)).toHaveLength(1);
      expect(textOf(await shot(`${round}-again`))).toBe('[image]');
    }
    expect(await test.text(client, id, 'echo on')).toBe('on');
    await client.delete(id);
  });

  it('a computer that ended as a whole is told as that, without its screen by itself', async () => {
    const client = test.client();
    const { id } = await client.create();
    await client.screenshot(id);
    await test.bash(client, id, 'kill -9 -1');
    const told = await test.text(client, id, 'echo on');
    expect(told).toMatch(/^<system>The computer was started anew[^]*\non$/);
    expect(told).not.toMatch(/X server/);
    await client.delete(id);
  });
});

describe('a ledger', () => {
  it('with a torn last record is repaired at the start', async () => {
    const client = test.client();
    const { id } = await client.create();
    const before = await test.bash(client, id, 'echo recorded', 'recorded');
    process.kill(test.daemonPid(id), 'SIGKILL');
    appendFileSync(layoutOf(test.folderOf(id)).ledger, '0123456789abcdef {"t":"intent","key":"torn","inp');
    expect(await test.bash(client, id, 'echo recorded', 'recorded')).toEqual(before);
    expect(textOf(await test.bash(client, id, 'echo torn', 'torn'))).toMatch(/\ntorn$/);
    await client.delete(id);
  });

  it('that was damaged before its end ends the sandbox for good, and it says so', async () => {
    const client = test.client();
    const { id } = await client.create();
    await test.bash(client, id, 'echo one');
    process.kill(test.daemonPid(id), 'SIGKILL');
    const { ledger } = layoutOf(test.folderOf(id));
    writeFileSync(ledger, readFileSync(ledger, 'utf8').replace('"intent"', '"indent"'));
    await expect(test.bash(client, id, 'echo two')).rejects.toMatchObject({ code: 'damaged' });
    await expect(test.bash(client, id, 'echo two')).rejects.toThrow(/ledger is damaged at byte \d+/);
    const { status, reason } = await test.client().get(id);
    expect(status).toBe('failed');
    expect(reason).toContain(ledger);
    expect(await test.client().adopt()).toEqual([]);
    await client.delete(id);
  });

  it('that is damaged is said to be so to others, too, as soon as the caller knows, however long the daemon takes to end', async () => {
    const { id } = await test.client().create();
    await test.bash(test.client(), id, 'echo one');
    process.kill(test.daemonPid(id), 'SIGKILL');
    const { ledger } = layoutOf(test.folderOf(id));
    writeFileSync(ledger, readFileSync(ledger, 'utf8').replace('"intent"', '"indent"'));
    const daemonEntry = join(test.dir, 'slow-to-end.mjs');
    writeFileSync(
      daemonEntry,
      `const end = process.exit;
      process.exit = (code) => void setTimeout(() => end(code), 700);
      await import(${JSON.stringify(test.daemonEntry)});`,
    );
    const client = test.client({ daemonEntry });
    await expect(test.bash(client, id, 'echo two')).rejects.toMatchObject({ code: 'damaged' });
    expect((await test.client().get(id)).status).toBe('failed');
    await client.delete(id);
  });

  it('that is put right works again, and is not said to be damaged any more', async () => {
    const client = test.client();
    const { id } = await client.create();
    await test.bash(client, id, 'echo one', 'one');
    process.kill(test.daemonPid(id), 'SIGKILL');
    const { ledger } = layoutOf(test.folderOf(id));
    const whole = readFileSync(ledger, 'utf8');
    writeFileSync(ledger, whole.replace('"intent"', '"indent"'));
    await expect(test.bash(client, id, 'echo one', 'one')).rejects.toMatchObject({ code: 'damaged' });
    writeFileSync(ledger, whole);
    expect(textOf(await test.bash(client, id, 'echo one', 'one'))).toBe('one');
    process.kill(test.daemonPid(id), 'SIGKILL');
    await until(async () => (await client.get(id)).status === 'stopped');
    await client.delete(id);
  });

  it('that is damaged while its daemon runs gives no outcome that was changed', async () => {
    const client = test.client();
    const { id } = await client.create();
    await test.bash(client, id, 'echo first', 'first');
    const { ledger } = layoutOf(test.folderOf(id));
    const at = readFileSync(ledger, 'latin1').indexOf('"text":"first"') + '"text":"'.length;
    const file = openSync(ledger, 'r+');
    writeSync(file, 'F', at);
    closeSync(file);
    await expect(test.bash(client, id, 'echo first', 'first')).rejects.toMatchObject({ code: 'damaged' });
    await client.delete(id);
  });

  it('whose picture is damaged says so in the place of the picture', async () => {
    const client = test.client();
    const { id } = await client.create();
    const shot = (): Promise<ActionOutcome> =>
      client.perform(id, {
        key: 'shot',
        tool: COMPUTER,
        input: { action: 'mouse_move', coordinate: [5, 5] },
      });
    expect(textOf(await shot())).toBe('[image]');
    const { blobs } = layoutOf(test.folderOf(id));
    for (const name of readdirSync(blobs)) writeFileSync(join(blobs, name), 'not what was put there');
    expect(textOf(await shot())).toMatch(/^<system>the picture of this result was damaged/);
    await client.delete(id);
  });
});

describe('a daemon', () => {
  it('whose folder is taken away ends by itself', async () => {
    const dir = join(test.dir, 'taken');
    const client = test.client({ dir });
    const { id } = await client.create();
    const instance = newestInstance(join(dir, id))!;
    renameSync(dir, `${dir}-away`);
    await until(() => !isAlive(instance.process));
    expect(isAlive(instance.process)).toBe(false);
    rmSync(`${dir}-away`, { recursive: true });
  });
});

// An ordinary user's test run covers the ordinary user by itself.
describeAsRoot('an ordinary user', () => {
  it('can do everything too', () => {
    const report = asOrdinaryUser(
      test,
      `const { id, isolation } = await sandboxes.create();
      const who = await act(id, '1', 'bash_20241022', { command: 'id -un; id -u; mkdir locked; touch locked/file; chmod 0 locked' });
      const made = await act(id, '2', 'text_editor_20241022', { command: 'create', path: '/home/agent/made', file_text: 'text' });
      const shot = await sandboxes.screenshot(id);
      const kernel = await act(id, '3', 'bash_20241022', { command: 'cp /proc/sys/kernel/core_pattern /tmp/c; cat /tmp/c > /proc/sys/kernel/core_pattern' });
      await sandboxes.delete(id);
      return { isolation, who: who.content[0].text, made: made.is_error, shot: shot.length > 100, kernel: kernel.content[0].text, left: (await sandboxes.list()).length };`,
    );
    const { kernel, ...rest } = report as Record<string, unknown>;
    expect(rest).toEqual({ isolation: 'bubblewrap', who: 'agent\n1000', made: false, shot: true, left: 0 });
    expect(kernel).toMatch(/Permission denied/);
  });
});
