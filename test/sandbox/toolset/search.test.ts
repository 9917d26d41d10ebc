import { Glob } from '../../../sandbox/guest/glob-pattern.ts';
import { until } from '../helpers/sandboxes.ts';
import { ToolsetBench } from './toolset-bench.ts';

describe('a glob', () => {
  const matches = (pattern: string, path: string): boolean => {
    const glob = new Glob(pattern);
    let state = glob.start;
    for (const name of path.split('/')) state = glob.next(state, name);
    return glob.matches(state);
  };

  it.each([
    ['*.ts', ['a.ts', '.ts.ts'].slice(0, 1), ['a.js', 'b/a.ts', '.a.ts']],
    ['**/*.ts', ['a.ts', 'b/a.ts', 'b/c/a.ts'], ['.git/a.ts', 'a.tsx']],
    ['src/**', ['src/a', 'src/a/b'], ['a', 'src/.hidden']],
    ['**/test/**/x', ['test/x', 'a/test/b/c/x'], ['tests/x']],
    ['a?[b-d][!x].{js,ts{,x}}', ['a1bo.js', 'aöcy.ts', 'a-dz.tsx'], ['a1ax.js', 'a1bx.ts']],
    ['.github/*.yml', ['.github/a.yml'], ['.github/.a.yml']],
    ['a{b', ['a{b'], ['ab']],
    ['[', ['['], ['']],
    ['x\\*y', ['x*y'], ['xay']],
    ['ä**z', ['äz', 'äqqz'], ['ä/z']],
  ])('%s', (pattern, good, bad) => {
    expect(good.filter((path) => !matches(pattern, path))).toEqual([]);
    expect(bad.filter((path) => matches(pattern, path))).toEqual([]);
  });

  it('does not go up, and stands for no more alternatives than can be followed', () => {
    expect(() => new Glob('a/../b')).toThrow('".." is not permitted');
    expect(() => new Glob('{a,b}'.repeat(40))).toThrow('more than 1000 alternatives');
    // What takes a backtracking matcher for ever.
    expect(matches(`${'*a'.repeat(100)}b`, 'a'.repeat(200))).toBe(false);
    expect(matches(`${'**/a/'.repeat(30)}b`, `${'a/'.repeat(100)}c`)).toBe(false);
  });
});

describe('the searches of the agent toolset', () => {
  let bench: ToolsetBench;
  beforeAll(async () => {
    bench = await ToolsetBench.open();
    await bench.sh(
      'mkdir -p p/src/deep p/node_modules/m p/.git p/empty; ' +
        'echo "const first = 12;" > p/src/old.ts; echo "second 34 // TODO: [x]" > p/src/deep/new.ts; ' +
        'echo "x 5" > p/node_modules/m/i.ts; echo "y 6" > p/.git/c.ts; printf "bin\\0 77\\n" > p/blob; ln -s src p/linked; ' +
        'touch -d "2001-01-01" p/src/old.ts; echo "h 8" > p/.hidden; echo "odd 9" > "p/a b;\\$(touch pwned)"',
    );
  }, 120_000);
  afterAll(() => bench.close());

  it('find files, the last changed first, as absolute paths', async () => {
    expect(await bench.call('glob', { pattern: '**/*.ts', path: 'p' })).toBe(
      '/home/agent/p/src/deep/new.ts\n/home/agent/p/src/old.ts',
    );
    expect(await bench.call('glob', { pattern: 'p/src/*' })).toBe('/home/agent/p/src/old.ts');
    expect(await bench.call('glob', { pattern: '/home/agent/p/.h*' })).toBe('/home/agent/p/.hidden');
    expect(await bench.call('glob', { pattern: '*.py', path: '/home/agent/p' })).toBe('no matches');
  });

  it('answer 200 files, and say how many there are', async () => {
    await bench.sh('mkdir many; cd many; touch $(seq 1 250); cd ..');
    const lines = (await bench.call('glob', { pattern: 'many/*' })).split('\n');
    expect(lines).toHaveLength(201);
    expect(lines.at(-1)).toBe('[200 of 250 files are shown]');
  });

  it.each([
    ['glob', {}, 'glob: pattern is required'],
    ['glob', { pattern: '../x' }, 'glob: ".." is not permitted in the pattern'],
    ['glob', { pattern: '*', path: 'nowhere' }, 'glob: nowhere: no such file or directory'],
    ['glob', { pattern: '*', path: 'p/blob' }, 'glob: p/blob: not a directory'],
    ['grep', { path: 'p' }, 'grep: pattern is required'],
    ['grep', { pattern: 'x', path: 'nowhere' }, 'grep: /home/agent/nowhere: no such file or directory'],
    ['grep', { pattern: '(', path: 'p' }, expect.stringMatching(/^grep: .*(parenthes|unclosed)/i)],
    ['grep', { pattern: 'x', path: '/dev/null' }, 'grep: /dev/null is neither a file nor a directory'],
  ])('%s says what is wrong with %j', async (name, input, content: unknown) => {
    expect(await bench.use(name, input)).toEqual({ status: 'done', is_error: true, content });
  });

  it('find lines below a folder and in a file, binary files and other people’s code left out', async () => {
    const lines = async (pattern: string, path?: string) =>
      (await bench.call('grep', { pattern, path })).split('\n').toSorted();
    expect(await lines('\\d+', 'p')).toEqual([
      '/home/agent/p/.hidden:1:h 8',
      '/home/agent/p/a b;$(touch pwned):1:odd 9',
      '/home/agent/p/src/deep/new.ts:1:second 34 // TODO: [x]',
      '/home/agent/p/src/old.ts:1:const first = 12;',
    ]);
    expect(await lines('\\[x\\]$', '/home/agent/p/src/deep/new.ts')).toEqual([
      '/home/agent/p/src/deep/new.ts:1:second 34 // TODO: [x]',
    ]);
    expect(await lines('^const \\w+ =')).toEqual(['/home/agent/p/src/old.ts:1:const first = 12;']);
    expect(await lines('nothing of the kind', 'p')).toEqual(['no matches']);
    // A pattern and a path are arguments, never options or commands.
    expect(await lines('--version', 'p')).toEqual(['no matches']);
    expect(await lines('x', 'p/a b;$(touch pwned)')).toEqual(['no matches']);
    expect(await bench.sh('ls pwned 2>&1; true')).toMatch('No such file');
  });

  it('answer no more than the model can take', async () => {
    await bench.sh(
      'seq 1 100000 | sed "s/^/a line of numbers /" > many-lines; head -c 5000 /dev/zero | tr "\\0" q > wide',
    );
    const all = await bench.call('grep', { pattern: 'line', path: 'many-lines' });
    expect(all.length).toBeLessThan(110_000);
    expect(all).toMatch(
      /\n\/home\/agent\/many-lines:\d+:a line of numbers \d+\n\[the output was cut at 102400 bytes/,
    );
    expect(await bench.call('grep', { pattern: 'q+', path: 'wide' })).toMatch(/q \[the line goes on\]$/);
  });

  it('are stopped by an interrupt', async () => {
    // Each line takes Perl's syntax some milliseconds, and just less than it gives up at, so that all of them take minutes;
    // ripgrep, where a machine has it, takes no time for any.
    await bench.sh('yes "$(head -c 14 /dev/zero | tr "\\0" a)b" | head -n 100000 > slow');
    const hasRipgrep = (await bench.sh('command -v rg; true')) !== '';
    const tool = { type: 'agent_toolset_20260401', name: 'grep' };
    const request = { key: 'endless', tool, input: { pattern: '^(a|aa|a?)+$', path: 'slow' } };
    let ended = false;
    const running = bench.client.perform(bench.id, request).finally(() => (ended = true));
    await until(async () => ended || (await bench.client.interrupt(bench.id, 'endless')).running);
    const stopped = {
      status: 'interrupted',
      is_error: true,
      content: expect.stringContaining('interrupted') as string,
    };
    expect(await running).toMatchObject(hasRipgrep ? { status: 'done' } : stopped);
    expect(await bench.sh('echo alive')).toBe('alive');
  }, 120_000);
});
