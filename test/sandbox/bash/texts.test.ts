import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '../../../sandbox/tools/tool.ts';
import { TestShell } from './shell.ts';

describe('texts of the default tool', () => {
  const terminal = new TestShell();
  const bash = terminal.tool('default');
  afterAll(() => terminal.close());

  it('shows both streams and a status other than 0', async () => {
    expect(await bash({ command: 'echo out; echo err >&2' })).toEqual({ output: 'out\nerr' });
    expect(await bash({ command: 'echo out; false' })).toEqual({ output: 'out', system: 'exit status 1' });
  });

  it('tells a timeout, keeps the output and goes on', async () => {
    const impatient = terminal.tool('default', 1_500);
    expect(await impatient({ command: 'v=1; echo partial; sleep 60' })).toEqual({
      output: 'partial',
      error:
        'timed out: the command had not returned after 1.5 seconds and was stopped with all it had started; the shell goes on',
    });
    expect(await bash({ command: 'echo $v' })).toEqual({ output: '1' });
  });

  it('tells an exit and has a new shell for the next command', async () => {
    expect(await bash({ command: 'echo bye; exit 3' })).toEqual({
      output: 'bye',
      system: 'bash has exited with returncode 3; the next command runs in a new shell',
    });
    expect(await bash({ command: 'echo on' })).toEqual({ output: 'on' });
  });

  it('restarts', async () => {
    await bash({ command: 'v=old' });
    expect(await bash({ restart: true })).toEqual({ system: 'tool has been restarted.' });
    expect(await bash({ restart: false, command: 'echo "[$v]"' })).toEqual({ output: '[]' });
  });

  it.each([
    [undefined, 'no command provided.'],
    [{}, 'no command provided.'],
    [{ command: null }, 'no command provided.'],
    [{ restart: false }, 'no command provided.'],
    [{ command: 7 }, 'command must be a string'],
    [{ restart: 'yes' }, 'restart must be true or false'],
    [{ command: 'a\0b' }, 'command must not contain NUL characters'],
  ])('refuses %j', async (input, message) => {
    await expect(bash(input)).rejects.toThrow(new ToolError(message));
  });
});

describe.each(['the tool', 'the toolset'] as const)(
  '%s, of what a stopped command may have left',
  (which) => {
    it('names what lives on', async () => {
      const terminal = new TestShell({ alone: true });
      const bash = which === 'the tool' ? terminal.tool('default', 2_000) : terminal.toolset(2_000);
      const { error } = await bash({
        command: `(env -i setsid bash -c 'echo $$ >hidden; exec sleep 54.321' &); until [ -s hidden ]; do sleep 0.01; done; sleep 100`,
      });
      const hidden = Number(readFileSync(join(terminal.folder, 'hidden'), 'utf8'));
      process.kill(hidden, 'SIGKILL');
      expect(error).toMatch(/was stopped; what it may have started lives on: .*; the shell goes on$/);
      expect(error).toContain(`sleep (pid ${hidden})`);
      await terminal.close();
    });
  },
);

describe('texts of the reference tool', () => {
  it('keeps the streams apart', async () => {
    const terminal = new TestShell();
    const bash = terminal.tool('reference');
    expect(await bash({ command: 'echo out; echo err >&2' })).toEqual({ output: 'out', error: 'err' });
    expect(await bash({ command: 'false' })).toEqual({ output: '', error: '' });
    await terminal.close();
  });

  it('does not clip', async () => {
    const terminal = new TestShell();
    const { output } = await terminal.tool('reference')({ command: "head -c 100000 /dev/zero | tr '\\0' z" });
    expect(output).toHaveLength(100_000);
    await terminal.close();
  });

  it('stays exited until a restart', async () => {
    const terminal = new TestShell();
    const bash = terminal.tool('reference');
    const exited = { system: 'tool must be restarted', error: 'bash has exited with returncode 3' };
    expect(await bash({ command: 'exit 3' })).toEqual(exited);
    expect(await bash({ command: 'echo on' })).toEqual(exited);
    expect(await bash({ restart: true })).toEqual({ system: 'tool has been restarted.' });
    expect(await bash({ command: 'echo on' })).toEqual({ output: 'on', error: '' });
    await terminal.close();
  });

  it('stays timed out until a restart', async () => {
    const terminal = new TestShell();
    const bash = terminal.tool('reference', 1_000);
    const text = 'timed out: bash has not returned in 1.0 seconds and must be restarted';
    expect(await bash({ command: 'sleep 60' })).toEqual({ error: text });
    expect(await bash({ command: 'echo on' })).toEqual({ error: text });
    await bash({ restart: true });
    expect(await bash({ command: 'echo on' })).toEqual({ output: 'on', error: '' });
    await terminal.close();
  });
});
