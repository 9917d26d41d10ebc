import { ToolsetBench } from './toolset-bench.ts';
import { openedForAll } from '../../support/opened.ts';

describe('the shell of the agent toolset', () => {
  const bench = openedForAll(
    () => ToolsetBench.open(),
    (it) => it.close(),
    120_000,
  );
  const bash = (input: object) => bench.call('bash', input);

  it('keeps its state, and is the one of the other shell tools', async () => {
    expect(await bash({ command: 'cd /tmp; x=1' })).toBe('');
    expect(await bash({ command: 'echo $x; pwd' })).toBe('1\n/tmp');
    expect(await bench.sh('echo $x')).toBe('1');
  });

  it('answers a failure as an error with its output', async () => {
    expect(await bash({ command: 'echo out; echo err >&2; false' })).toBe('error: out\nerr\nexit 1');
    expect(await bash({ command: '(exit 7)' })).toBe('error: exit 7');
  });

  it('begins anew, and runs a command there', async () => {
    await bash({ command: 'y=2' });
    expect(await bash({ restart: true, command: 'echo [$y]; pwd' })).toBe('[]\n/home/agent');
    expect(await bash({ restart: true })).toBe('bash session restarted');
    expect(await bash({})).toBe('error: bash: command is required');
    expect(await bash({ command: null, restart: null })).toBe('error: bash: command is required');
    expect(await bash({ command: 'exit 3' })).toMatch(/^error: bash has exited with returncode 3/);
  });

  it('is stopped after the time that a call asks for', async () => {
    expect(await bash({ command: 'echo begun; sleep 600', timeout_ms: 300 })).toBe(
      'error: begun\nbash: timed out after 300 ms; the command was stopped with all it had started; the shell goes on',
    );
    expect(await bash({ command: 'echo on', timeout_ms: 0 })).toBe('on');
    expect(await bash({ command: 'x', timeout_ms: 600_001 })).toMatch(
      /^error: bash: timeout_ms must be at most 600000/,
    );
    expect(await bash({ command: 'x', timeout_ms: -1 })).toMatch(
      /^error: bash: timeout_ms must be a whole number/,
    );
  });

  it('keeps a long output in a file, and shows its begin and its end', async () => {
    const output = await bash({ command: 'seq 1 30000' });
    expect(output.length).toBeLessThan(21_000);
    expect(output).toMatch(/^1\n2\n/);
    expect(output).toMatch(/\n29999\n30000$/);
    const [, path = ''] = /\[168893 characters, .* the whole is in (\S+)\]/.exec(output) ?? [];
    expect(await bench.sh(`tail -n 1 ${path}; wc -l < ${path}`)).toBe('3000029999');
    expect(await bench.call('read', { file_path: path, view_range: [15_000, 15_001] })).toBe('15000\n15001');
  });
});
