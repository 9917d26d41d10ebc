import type { ToolCase } from './tool-case.ts';

const run = (command: unknown): object => ({ command });
const RESTART = { restart: true };

function all(name: string, ...commands: string[]): ToolCase {
  return { name, calls: commands.map(run) };
}

/** Commands whose answers show, one after another in one shell, so that the numbers of its lines count on. */
const ANSWERED: readonly ToolCase[] = [
  all('output', 'echo hello', 'echo -n none', 'printf "a\\n\\n"', 'printf "\\n"', 'true', 'echo', 'printf " a "'),
  all('output of several lines', 'echo a\necho b', 'echo a; echo b', 'for i in 1 2 3; do echo $i; done', 'seq 200'),
  all('both streams', 'echo out; echo err >&2', 'echo err >&2; echo out', 'echo err >&2', 'printf "e\\n\\n" >&2'),
  all('exit statuses', 'false', '(exit 3)', 'false; echo $?', 'true; echo $?', '(exit 3); echo $?'),
  all('unknown programs', 'nosuchprogram', 'echo a; nosuchprogram', 'nosuchprogram --x | cat', '/no/such/program', './f'),
  all('errors on later lines', 'true', 'nosuch1', 'true\ntrue\nnosuch2', 'nosuch3', 'nosuch4\n\n\nnosuch5', 'echo "a\nb"\nnosuch6', 'nosuch7'),
  all('errors in a function', 'f() {\n nosuch1\n}', 'f', 'true', 'f\nnosuch2'),
  all('errors of builtins', 'cd /no/such', 'cd a b', 'kill', 'kill -9 99999999', 'export 1=2', 'source /no', '. /no', 'read -z', 'unset -x', 'shift 5', 'return', 'break', 'local x', 'let', 'declare -Z', 'ulimit -n x', 'umask 999', 'type nosuch', 'pushd', 'popd', 'fg', 'bg', 'wait 99999999', 'alias nosuch', 'trap x NOSIG', 'printf %d x', 'test 1 -eq x', '[ 1 -eq', '[[ a =~ [ ]]'),
  all('errors of redirections', 'cat < /no/file', 'echo x > /no/file', 'echo >&9', 'echo a > .'),
  all('errors of expansions', 'x=(1 2); echo "${x[-5]}"; echo on', '(echo $((1/0))); echo on', '(echo ${x?gone}); echo on'),
  all('unset variables', 'set -u; echo on', 'set +u; echo off', 'unset x; echo "[$x]"'),
  all('errors of programs', 'ls /no/such/file', 'cat /no/such/file', 'grep', 'sh -c "nosuch"', 'bash -c "nosuch"', 'python3 -c "1/0" 2>&1 | tail -1', 'sh -c "exit 3"; echo $?'),
  all('state', 'x=1; export y=2; cd /tmp', 'echo $x $y; pwd', 'sh -c \'echo "[$x] [$y]"\'', 'f() { echo in f; }', 'f', 'alias g="echo g"', 'shopt -s expand_aliases', 'g', 'cd -; pwd', 'unset x; echo "[$x]"', 'set -- a b; echo $# $1', 'echo $2', 'shopt -s extglob; echo on', 'umask 077; umask', 'umask'),
  all('what the shell says of itself', 'echo $0', 'echo $-', 'echo $#', 'echo "[$*]"', 'echo $SHLVL > /dev/null; echo', 'echo $LINENO', 'echo\necho $LINENO', 'echo $LINENO; f() { echo $LINENO; }; f', 'echo "[$PS1]"', 'echo $BASH_SUBSHELL', 'shopt login_shell', 'set -o | grep on$', '[ -t 0 ] || echo no terminal', '[ -t 1 ] || echo no terminal', 'echo ${FUNCNAME[0]-none} ${BASH_SOURCE[0]-none}', 'echo "[$BASH_EXECUTION_STRING]"', 'jobs'),
  all('the last status', 'false', 'echo $?', '(exit 7)', 'echo $?'),
  all('the last argument', 'echo a b c', 'echo $_'),
  all('quoting', 'echo \'it\'"\'"\'s\'', 'echo "a\\"b"', 'echo $\'a\\tb\'', 'echo \\$HOME', 'echo "*"', 'echo `echo sub`', 'echo $(echo sub)', "echo '$x' \"\\$x\"", 'echo a\\\nb', 'echo "!"'),
  all('unicode', 'echo "häß 日本語 🎉"', 'printf "\\u00e9\\n"', 'x=日本; echo ${#x}', 'nosuch日本'),
  all('trailing newlines', 'printf "a\\n\\n\\n"', 'printf "\\n\\n"', 'echo a; echo; echo'),
  all('carriage returns and tabs', 'printf "a\\r\\nb\\tc\\r"', 'printf "\\e[31mred\\e[0m\\n"', 'printf "a\\fb\\vc\\n"'),
  all('NUL in the output', 'printf "a\\0b\\n"', 'printf "\\0\\n"'),
  all('a here-document closed', 'cat <<X\na\nb\nX\necho after', "cat <<'X'\n$x\nX\ntrue", 'cat <<<word'),
  all('pipes and groups', 'echo a | cat', '{ echo a; echo b; } | sort -r', '(echo a; echo b >&2)', 'echo a && echo b || echo c', 'false && echo b || echo c', 'if true; then echo yes; fi', 'case x in x) echo match;; esac', '! true; echo $?'),
  all('long output', "head -c 20000 /dev/zero | tr '\\0' z", 'seq 3000', "head -c 60000 /dev/zero | tr '\\0' y"),
  all('long errors', "head -c 20000 /dev/zero | tr '\\0' z >&2", 'echo on'),
  all('spaces around', '  echo a  ', '\techo b', 'echo c ', '\necho d'),
  all('a command of several statements that fails at first', 'nosuch; echo on', 'false || nosuch', 'nosuch && echo on'),
  all('a long command', `echo ${'word '.repeat(2000)}| wc -w`, `x='${'y\n'.repeat(500)}'; echo \${#x}`, 'nosuch'),
  all('tracing for one command', '(set -x; echo a)', 'bash -xc "echo a"', 'echo b'),
  all('errexit in a subshell', '(set -e; false; echo no); echo $?'),
  all('pipefail', 'set -o pipefail; false | true; echo $?', 'false | true; echo $?'),
  all('traps', "trap 'echo bye' USR1; kill -USR1 $$; echo on", 'kill -USR1 $$', 'trap - USR1; echo off', "trap 'echo err' ERR; false", 'trap - ERR'),
  all('a debug trap', "x=0; trap 'x=1' DEBUG; true; trap - DEBUG; echo $x"),
  all('jobs in the background', '(sleep 0.1; echo late >/dev/null) & echo started', 'wait; echo waited', '{ sleep 30 & } 2>/dev/null; echo $! >/dev/null; kill $!; echo killed'),
  all('subshells that exit', '(exit 4); echo $?', 'bash -c "exit 5"; echo $?', '$(exit 6); echo $?'),
  all('a program killed', "sh -c 'kill -9 $$'", "sh -c 'kill -TERM $$'; echo $?", "sh -c 'kill -SEGV $$'; echo $?"),
  all('files', 'echo a > f; cat f', 'echo b >> f; cat f; wc -l < f', 'rm f; ls f', 'touch "x y"; ls', 'mkdir d; cd d; pwd | xargs basename', 'ls ..'),
  all('arrays', 'a=(1 "2 3" 4); echo ${#a[@]} "${a[1]}"', 'declare -A m; m[k]=v; echo ${m[k]}', 'echo ${a[@]}'),
  all('standard error to output', 'nosuch 2>&1', 'ls /no/such 2>&1; echo $?', '{ echo a; nosuch; } 2>&1', 'nosuch 2>/dev/null; echo $?'),
  all('process substitution', 'cat <(echo a)', 'diff <(echo a) <(echo b)', 'echo a > >(cat); sleep 0.1'),
  all('sourced files', 'printf "echo from f\\nnosuch\\n" > f', 'source ./f', '. ./f; echo $?', 'bash f', 'bash ./f 2>&1 | cat'),
  all('programs by path', 'printf "#!/bin/sh\\necho run\\n" > f; ./f', 'chmod +x f; ./f', 'chmod -x f', 'PATH=; ls', 'PATH=/usr/bin:/bin; ls'),
  all('exec of descriptors', 'exec 3>f; echo a >&3; exec 3>&-; cat f', 'exec 4<f; read x <&4; echo $x; exec 4<&-'),
  all('warnings', 'echo $(printf "a\\0b")', 'echo a'),
  all('redirected loops', 'while read l; do echo "[$l]"; done < /etc/hostname > /dev/null; echo done', 'printf "a\\nb\\n" | while read l; do echo "[$l]"; done'),
  { name: 'no command', calls: [{}, { command: null }, { restart: false }, { restart: null }, run('echo on')] },
  { name: 'restart', calls: [RESTART, run('x=1; nosuch'), RESTART, run('echo "[$x]"; nosuch'), { restart: true, command: 'echo no' }, { restart: false, command: 'echo yes' }, run('nosuch')] },
  { name: 'unknown fields', calls: [{ command: 'echo a', more: 1 }, { command: 'echo b', timeout: 5 }] },
]; // prettier-ignore

/** Where the reference waits until its time is over, or crashes: ours answers at once, documented. */
const ENDED: readonly ToolCase[] = [
  { name: 'a command that takes too long', calls: [run('echo before; sleep 60'), run('echo on'), run('echo on'), {}, RESTART, run('echo on')], timeout: 1 },
  { name: 'wrong types', calls: [run(5), run(['echo']), run({}), run(true)], ends: true },
  { name: 'a NUL in the command', calls: [run('echo a\0b')] },
  { name: 'tracing', calls: [run('set -x'), run('echo on'), run('set +x'), run('echo off'), run('(echo a; echo b) | cat')] },
  { name: 'the sentinel in the output', calls: [run("echo before; echo '<<exit>>'; echo after"), run('echo on')] },
]; // prettier-ignore

/** Where the reference hangs: what it answers then is only known by its time-out. */
const HANGS: readonly ToolCase[] = [
  'cat <<X\na\nX', 'echo a # comment', 'sleep 0 &', 'echo a;', 'echo a\n', '', ' ', 'echo (', 'fi', 'echo x >', 'cat <<X\na', 'echo ${x!y}', 'echo ${x?gone}', 'echo $((1/0))', 'readonly r=1; r=2', 'echo $((08))', 'echo "', 'cat', 'read x; echo "[$x]"', 'exec >f', 'echo a \\', 'exit 3', 'exit', 'set -e; false', 'exec true', 'exec nosuch', 'kill -9 $$', 'kill $$', 'echo() { :; }', 'set -u; echo $nosuch', "head -c 300000 /dev/zero | tr '\\0' z",
].map((command) => ({ name: `ended by ${JSON.stringify(command)}`, calls: [run(command), run('echo on'), RESTART, run('echo "on again"')], timeout: 1, ends: true })); // prettier-ignore

/** Output that the reference cannot decode. */
const CRASHES: readonly ToolCase[] = [
  { name: 'output that is not UTF-8', calls: [run("printf 'a\\xffb\\n'"), run('echo on')], ends: true },
  { name: 'errors that are not UTF-8', calls: [run("printf 'a\\xffb\\n' >&2"), run('echo on')], ends: true },
];

export const BASH_CASES: readonly ToolCase[] = [...ANSWERED, ...ENDED, ...HANGS, ...CRASHES];
