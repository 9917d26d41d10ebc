import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOrEmpty } from '../../support/read-or-empty.ts';
import { TestShell, processesOf, until } from './shell.ts';
import { openedForEach } from '../../support/opened.ts';

const SHORT_MS = 400;

const ENDLESS: readonly [name: string, command: string][] = [
  ['one program', 'echo begun; sleep 100'],
  ['a loop of programs', 'echo begun; while true; do sleep 0.01; done'],
  ['a loop in the shell itself', 'echo begun; while :; do :; done'],
  ['a loop in a function in a subshell', 'f() { while true; do sleep 0.05; done; }; echo begun; (f)'],
  ['a pipeline', 'echo begun; yes | cat >/dev/null'],
  ['a substitution', 'echo begun; x=$(sleep 100)'],
  ['wait', 'echo begun; sleep 100 & wait'],
  ['a builtin that waits at a FIFO', 'mkfifo $OLDPWD/pipe; echo begun; read -r x <$OLDPWD/pipe'],
  ['a program that ignores SIGTERM', `echo begun; bash -c 'trap "" TERM; while :; do sleep 0.05; done'`],
  ['many programs', 'echo begun; for i in $(seq 50); do sleep 100 & done; wait'],
  ['tracing', 'set -x; echo begun; sleep 100'],
  ['errexit', 'set -e; echo begun; sleep 100'],
  [
    'a loop whose streams lead elsewhere',
    'echo begun; while sleep 0.01; do :; done </etc/passwd >/dev/null 2>&1',
  ],
];

const PYTHON_DAEMON = `python3 -c '
import os, signal, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(name, signal.SIG_IGN)
open("pids", "a").write(str(os.getpid()) + "\\n")
time.sleep(100)
'`;

describe('a command that does not end', () => {
  const terminal = openedForEach(() => new TestShell());

  it.each(ENDLESS)(
    '%s: stopped with all it started, its output and the shell kept',
    async (_name, command) => {
      await terminal.run(
        'cd /usr; kept=value; f() { echo "in f"; }; export KEPT=exported; arr=(1 2 3); set -o pipefail',
      );
      const result = await terminal.runUntilBegun(command);
      expect(result).toMatchObject({ ended: 'interrupted', status: null, shellKept: true });
      expect(result.stdout).toMatch(/begun/);
      const shown = await terminal.run(
        'set +xe; echo "$? $(pwd) $kept $KEPT ${arr[2]} $(set -o | grep -c "pipefail.*on")"',
      );
      expect(shown.stdout).toMatch(/^0 \/usr value exported 3 1$/m);
      expect((await terminal.run('echo error >&2; cat')).stdout).toBe('error');
      const bash = Number((await terminal.run('echo $$')).stdout);
      await until(() => processesOf(bash).length === 0);
    },
  );

  const HIDDEN: readonly [string, string][] = [
    [
      'twice forked, in a session of its own',
      `setsid bash -c "trap '' TERM INT HUP; echo \\$\\$ >>pids; sleep 100; sleep 100" &`,
    ],
    ['twice forked by a program', PYTHON_DAEMON],
    [
      'a subshell in the background of a subshell',
      `( ( trap '' TERM INT; echo $BASHPID >>pids; while :; do sleep 1; done ) & )`,
    ],
    [
      'under nohup',
      `(nohup bash -c 'trap "" TERM; echo $$ >>pids; while :; do sleep 1; done' >/dev/null 2>&1 &)`,
    ],
  ];

  it.each(HIDDEN)('%s and deaf to SIGTERM: ended with the rest, and said so', async (_name, command) => {
    const result = await terminal.runUntilBegun(
      `rm -f pids; ${command}\nuntil [ -s pids ]; do sleep 0.01; done; echo begun; sleep 100`,
    );
    expect(result).toMatchObject({ ended: 'interrupted', shellKept: true, left: [] });
    const pids = readFileSync(join(terminal.folder, 'pids'), 'utf8').trim().split('\n').map(Number);
    expect(pids).toHaveLength(1);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it('leaves alone what earlier commands started in sessions of their own', async () => {
    await terminal.run(
      `(setsid bash -c 'echo $$ >server; exec sleep 50' &); until [ -s server ]; do sleep 0.01; done`,
    );
    await terminal.runUntilBegun('echo begun; sleep 100');
    const server = Number(readFileSync(join(terminal.folder, 'server'), 'utf8'));
    expect(isRunning(server)).toBe(true);
    process.kill(server, 'SIGKILL');
  });

  it('names what may be its own where that cannot be told', async () => {
    const alone = new TestShell({ alone: true });
    const result = await alone.runUntilBegun(
      `(env -i setsid bash -c 'echo $$ >hidden; exec sleep 54.321' &); until [ -s hidden ]; do sleep 0.01; done; echo begun; sleep 100`,
    );
    const hidden = Number(readFileSync(join(alone.folder, 'hidden'), 'utf8'));
    expect(isRunning(hidden)).toBe(true);
    expect(result.left).toContain(`sleep (pid ${hidden})`);
    process.kill(hidden, 'SIGKILL');
    await alone.close();
  });

  it('interrupted: nothing but what it had put out', async () => {
    await terminal.run('kept=value');
    const result = await terminal.runUntilBegun('echo begun; sleep 100');
    expect(result).toMatchObject({ ended: 'interrupted', stdout: 'begun', shellKept: true });
    expect((await terminal.run('echo "$? $kept"')).stdout).toBe('130 value');
  });

  it('in a shell that had sent its streams elsewhere: they are its own again', async () => {
    await terminal.run('kept=value; exec >log 2>&1');
    expect(await terminal.runUntilBegun('echo begun; sleep 100')).toMatchObject({ shellKept: true });
    expect((await terminal.run('cat log; echo "$kept"')).stdout).toBe('begun\nvalue');
  });

  it('interrupted before it began', async () => {
    expect(await terminal.run('sleep 100', { signal: AbortSignal.abort() })).toMatchObject({
      ended: 'interrupted',
    });
    expect((await terminal.run('echo on')).stdout).toBe('on');
  });

  it('leaves the jobs of earlier commands alone', async () => {
    await terminal.run('sleep 50 & job=$!');
    expect(await terminal.run('sleep 100', { timeoutMs: SHORT_MS })).toMatchObject({ ended: 'timeout' });
    expect((await terminal.run('kill -0 $job && echo lives')).stdout).toBe('lives');
  });

  it('that has replaced the shell: the next one begins anew', async () => {
    const result = await terminal.run('exec sleep 100', { timeoutMs: SHORT_MS });
    expect(['timeout', 'exited']).toContain(result.ended);
    expect((await terminal.run('pwd')).stdout).toBe(terminal.folder);
  });

  it('again and again, under the same shell', async () => {
    const bash = (await terminal.run('echo $$')).stdout;
    for (let round = 0; round < 5; round += 1) {
      expect(await terminal.run('while :; do sleep 0.01; done', { timeoutMs: 100 })).toMatchObject({
        shellKept: true,
      });
    }
    expect((await terminal.run('echo $$')).stdout).toBe(bash);
  });

  it('in a substitution that ends as by Ctrl-C before the shell hears of its own stop', async () => {
    await terminal.run('kept=value');
    expect((await terminal.run('x=$(kill -INT $BASHPID); echo "$kept"')).stdout).toBe('value');
  });

  it('stopped at the very moment of its end, whenever that is', async () => {
    await terminal.run('kept=value');
    for (let round = 0; round < 30; round += 1) {
      const ms = 2 + round;
      const result = await terminal.run(`sleep 0.0${String(ms).padStart(2, '0')}; echo ${round}`, {
        timeoutMs: ms,
      });
      expect(['completed', 'timeout']).toContain(result.ended);
      expect((await terminal.run(`echo "${round} $kept"`)).stdout).toBe(`${round} value`);
    }
  });
});

describe('a restart', () => {
  it('ends the old bash and all it started, also what forked and changed its group', async () => {
    const terminal = new TestShell();
    const pids = (
      await terminal.run(
        'sleep 100 & echo $!; (sleep 100 & echo $!); bash -c "sleep 100 & echo \\$! > inner; exec sleep 101" & ' +
          'until [ -s inner ]; do sleep 0.01; done; cat inner; echo $! $$',
      )
    ).stdout
      .split(/\s+/)
      .map(Number);
    expect(pids).toHaveLength(5);
    await terminal.shell.restart();
    await until(() => pids.every((pid) => !isRunning(pid)));
    expect((await terminal.run('echo new')).stdout).toBe('new');
    await terminal.close();
  });
});

/** A zombie is none: who its parent is now may be in no hurry to hear of its end. */
function isRunning(pid: number): boolean {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  return stat !== '' && !/\) [ZX] /.test(stat);
}
