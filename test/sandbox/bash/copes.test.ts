import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOrEmpty } from '../../support/read-or-empty.ts';
import { TestShell, until } from './shell.ts';

/**
 * What a terminal copes with and a shell on pipes with a sentinel does not. Every command must be followed by another that
 * works, in the same shell.
 */
const CASES: readonly [name: string, command: string, stdout: string | RegExp, status: number][] = [
  ['a plain command', 'echo hello', 'hello', 0],
  ['two lines', 'echo a\necho b', 'a\nb', 0],
  ['an empty command', '', '', 0],
  ['blanks', '  \n\t\n ', '', 0],
  ['a comment', '# nothing', '', 0],
  ['a trailing comment', 'echo hi # and more', 'hi', 0],
  ['a trailing semicolon', 'echo hi;', 'hi', 0],
  ['a trailing newline', 'echo hi\n', 'hi', 0],
  ['a job in the background', 'sleep 0.01 &', '', 0],
  ['a job in the background and more', 'sleep 0.01 & echo on', 'on', 0],
  ['a here-document at the end', 'cat <<EOF\nline\nEOF', 'line', 0],
  ['a here-document and more', 'cat <<EOF && echo more\nline\nEOF\necho end', 'line\nmore\nend', 0],
  [
    'a here-document without its end',
    'cat <<EOF\nline',
    /here-document.*delimited by end-of-file[^]*line/,
    0,
  ],
  ['a quoted here-document', "cat <<'EOF'\n$HOME `x` 'q'\nEOF", "$HOME `x` 'q'", 0],
  ['a here-string', 'cat <<<"one two"', 'one two', 0],
  ['a syntax error', 'if then', /syntax error near unexpected token `then'/, 2],
  ['a lone ampersand', '&', /syntax error/, 2],
  ['a lone bracket', ')', /syntax error/, 2],
  ['an open quote', 'echo "open', /unexpected EOF while looking for matching `"'/, 2],
  ['an open brace', '{ echo a', /unexpected end of file/, 2],
  ['an open substitution', 'echo $(date', /unexpected EOF/, 2],
  ['a trailing backslash', 'echo hi \\', /^hi/, 0],
  ['a continued line', 'echo a \\\n  b', 'a b', 0],
  ['reading input', 'cat; echo "read: $?"', 'read: 0', 0],
  ['read without input', 'read line; echo "$?"', '1', 0],
  ['python reading input', "python3 -c 'import sys; print(len(sys.stdin.read()))' || echo 0", '0', 0],
  ['single quotes', "echo 'it'\\''s' \"a 'b'\"", "it's a 'b'", 0],
  ['dollar quotes', "echo $'a\\tb'", 'a\tb', 0],
  ['unknown commands', 'no-such-command-here', /no-such-command-here: command not found$/, 127],
  ['division by zero', 'echo $((1/0))', /division by 0/, 1],
  ['break outside a loop', 'break; echo on', /only meaningful[^]*on$/, 0],
  ['return outside a function', 'return 3; echo on', /can only `return'[^]*on$/, 0],
  ['an exit status', '(exit 42)', '', 42],
  ['a failing pipeline', 'true | false', '', 1],
  ['a command that kills itself', "sh -c 'kill -9 $$'", /Killed|^$/, 137],
  ['a function named echo', 'echo() { builtin echo mine; }; echo yours; unset -f echo', 'mine', 0],
  ['a function named printf', 'printf() { :; }; printf x; unset -f printf; printf y', 'y', 0],
  ['an alias named eval', "shopt -s expand_aliases; alias eval='echo no'; true", '', 0],
  ['tracing', 'set -x; echo on; set +x', /^\++ echo on\non\n\++ set \+x$/, 0],
  ['standard error and output in order', 'echo 1; echo 2 >&2; echo 3', '1\n2\n3', 0],
  ['/dev/stdout and /dev/stderr', 'echo a >/dev/stdout; echo b >/dev/stderr', 'a\nb', 0],
  ['tee', 'echo a | tee /dev/stderr', 'a\na', 0],
  ['a subshell that exits', '(exit 0); echo on', 'on', 0],
  ['a process substitution', 'cat <(echo in)', 'in', 0],
  ['a coprocess', 'coproc cat; echo "${COPROC_PID:+there}"; kill $COPROC_PID', 'there', 0],
  ['a carriage return', "printf 'a\\r\\nb'", 'a\r\nb', 0],
  ['unicode', 'echo "grüße 世界 🎉"', 'grüße 世界 🎉', 0],
  ['bytes that are not UTF-8', "printf 'a\\xff\\xfeb'", 'a\ufffd\ufffdb', 0],
  ['NUL bytes', "printf 'a\\0b'", 'a\0b', 0],
  ['half a character at the end', "printf 'a\\xe2\\x82'", 'a\ufffd', 0],
  ['output that ends in two newlines', "printf 'a\\n\\n'", 'a\n', 0],
  ['what looks like the driver', 'builtin printf "%s %d %s\\n" nonce 0 hB', 'nonce 0 hB', 0],
  ["the reference's sentinel", "echo '<<exit>>'", '<<exit>>', 0],
  ['a debug trap', "trap 'true' DEBUG; echo a; trap - DEBUG", 'a', 0],
  ['an error trap', "trap 'echo failed' ERR; false; trap - ERR", 'failed', 0],
  ['standard input as a file', 'exec </etc/passwd; read -r x; exec </dev/null; echo "${x:+read}"', 'read', 0],
  ['unset PATH', 'PATH=; echo on; PATH=/usr/bin:/bin', 'on', 0],
  ['posix mode', 'set -o posix; if; set +o posix', /syntax error/, 2],
  ['leaving posix mode', 'set +o posix; echo on', 'on', 0],
  ['IFS', 'IFS=/; x="a/b"; echo $x; unset IFS', 'a b', 0],
  ['globbing off', 'set -f; echo *; set +f', '*', 0],
  ['verbose', 'set -v; echo on; set +v', /^on$|^echo on[^]*on$/, 0],
];

describe('a shell that copes with', () => {
  const terminal = new TestShell();
  afterAll(() => terminal.close());

  it.each(CASES)('%s', async (_name, command, stdout, status) => {
    const result = await terminal.run(command);
    expect(result).toMatchObject({ ended: 'completed', shellKept: true });
    expect(result.stdout).toMatch(typeof stdout === 'string' ? exactly(stdout) : stdout);
    expect(result.status).toBe(status);
    expect((await terminal.run('echo "next: $(pwd)"')).stdout).toBe(`next: ${terminal.folder}`);
  });

  it('state from call to call', async () => {
    await terminal.run(
      'mkdir -p a/b; cd a/b; export E=1; v="two words"; f() { echo "f $1"; }; arr=(x y); umask 077',
    );
    expect((await terminal.run('pwd; echo $E "$v"; f 3; echo ${arr[1]}; umask')).stdout).toBe(
      `${terminal.folder}/a/b\n1 two words\nf 3\ny\n0077`,
    );
    await terminal.run('cd; umask 022');
  });

  it.each([0, 1, 7, 127, 255])('$? %i of the command before', async (status) => {
    await terminal.run(`(exit ${status})`);
    expect((await terminal.run('echo $?')).stdout).toBe(String(status));
  });

  it('tracing that stays on, without a line of the driver', async () => {
    await terminal.run('set -x');
    const traced = await terminal.run('echo one');
    expect(traced.stdout).toMatch(/^\++ echo one\none$/);
    await terminal.run('set +x');
    expect((await terminal.run('echo two')).stdout).toBe('two');
  });

  it('set -e that ends the shell, at once and said so', async () => {
    const result = await terminal.run('set -e; echo before; false; echo after');
    expect(result).toMatchObject({ ended: 'exited', status: 1, stdout: 'before', shellKept: false });
    expect((await terminal.run('echo again')).stdout).toBe('again');
  });

  it('set -e that nothing fails under', async () => {
    await terminal.run('set -e');
    expect(await terminal.run('true; echo fine')).toMatchObject({ ended: 'completed', stdout: 'fine' });
    expect(await terminal.run('set +e; false')).toMatchObject({ ended: 'completed', status: 1 });
  });

  it.each([
    ['exit 3', 3],
    ['exit', 0],
    ['echo out; exit 4 # now', 4],
    ['exec true', 0],
    ["exec sh -c 'exit 9'", 9],
    ['kill -9 $$', -9],
    ['kill -TERM $$; sleep 60', -15],
    ['set -u; echo $not_set_at_all', 1],
    ['exec no-such-program-at-all', 127],
  ])('%s, at once, and a new shell after it', async (command, status) => {
    const result = await terminal.run(command);
    expect(result).toMatchObject({ ended: 'exited', status, shellKept: false });
    expect((await terminal.run('pwd')).stdout).toBe(terminal.folder);
  });

  it('exec >file: later output goes there, and a restart brings it back', async () => {
    await terminal.run('exec >log.txt 2>&1');
    expect((await terminal.run('echo to the file')).stdout).toBe('');
    await terminal.shell.restart();
    expect((await terminal.run('cat log.txt')).stdout).toBe('to the file');
  });

  it('a command of 300 kB', async () => {
    const long = 'x'.repeat(300_000);
    expect((await terminal.run(`v='${long}'; echo \${#v}`)).stdout).toBe('300000');
  });

  it('output of 300 MB in bounded memory, its first and last parts kept', async () => {
    const before = process.memoryUsage().rss;
    const { stdout } = await terminal.run(
      "echo first; head -c 300000000 /dev/zero | tr '\\0' x; echo; echo last",
      { timeoutMs: 90_000 },
    );
    expect(stdout).toMatch(/^first\nx+\n<response clipped>\nx+\nlast$/);
    expect(stdout.length).toBeLessThanOrEqual(16_000);
    expect(stdout.length).toBeGreaterThan(15_900);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  it.each([15_999, 16_000, 16_001])('%i characters of output', async (count) => {
    const { stdout } = await terminal.run(`head -c ${count} /dev/zero | tr '\\0' y; echo`);
    expect(stdout.length).toBe(Math.min(count, 16_000));
    expect(stdout.includes('<response clipped>')).toBe(count > 16_000);
  });

  it('jobs that hold the pipes open', async () => {
    const result = await terminal.run('(sleep 60; echo late) & echo on');
    expect(result).toMatchObject({ ended: 'completed', stdout: 'on' });
    await terminal.shell.restart();
  });

  it('output of a job, shown with the next command', async () => {
    await terminal.run('(until [ -e go ]; do sleep 0.01; done; echo from the job) &');
    expect((await terminal.run('touch go; wait; echo on')).stdout).toBe('from the job\non');
  });

  it('a job that floods its output, without a loss for the next command', async () => {
    await terminal.run('yes flood & flood=$!; echo $flood > flood');
    const pid = readFileSync(join(terminal.folder, 'flood'), 'utf8').trim();
    // It sleeps when nothing more goes in.
    await until(() => /^\d+ \(yes\) S /.test(readOrEmpty(`/proc/${pid}/stat`)));
    const { stdout } = await terminal.run('kill $flood; wait $flood 2>/dev/null; echo end');
    expect(stdout).toMatch(/^flood[^]*end$/);
    expect((await terminal.run('echo calm')).stdout).toBe('calm');
  });
});

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`);
}
