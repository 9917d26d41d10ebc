import { ToolsetBench } from './toolset-bench.ts';
import { openedForAll } from '../../support/opened.ts';

describe('the files of the agent toolset', () => {
  const bench = openedForAll(
    () => ToolsetBench.open(),
    (it) => it.close(),
    120_000,
  );

  it('writes, from the home folder on, and makes the folders on the way', async () => {
    expect(await bench.call('write', { file_path: 'a/b/note.txt', content: 'grüße\n' })).toBe(
      'wrote 8 bytes to a/b/note.txt',
    );
    expect(await bench.sh('cat /home/agent/a/b/note.txt; stat -c %U /home/agent/a/b/note.txt')).toBe(
      'grüße\nagent',
    );
    await bench.sh('touch s && chmod 755 s');
    expect(await bench.call('write', { file_path: '/home/agent/s', content: '' })).toBe(
      'wrote 0 bytes to /home/agent/s',
    );
    expect(await bench.sh('stat -c %a s')).toBe('755');
  });

  it('reads a file as it is, or lines of it', async () => {
    await bench.call('write', { file_path: 'lines', content: 'one\ntwo\tx\nthree\n' });
    const read = (view_range?: unknown) => bench.call('read', { file_path: 'lines', view_range });
    expect(await read()).toBe('one\ntwo\tx\nthree\n');
    expect(await read(null)).toBe('one\ntwo\tx\nthree\n');
    expect(await read([])).toBe('one\ntwo\tx\nthree\n');
    expect(await read([2, 3])).toBe('two\tx\nthree');
    expect(await read([2, 0])).toBe('two\tx\nthree\n');
    expect(await read([3, -1])).toBe('three\n');
    expect(await read([0, 1])).toBe('one');
    expect(await read([2, 4])).toBe('two\tx\nthree\n');
    expect(await read([9, 12])).toBe('');
    expect(await read([1])).toBe('error: read: view_range must be [start_line, end_line], two whole numbers');
    expect(await read(['1', '2'])).toMatch(/^error: read: view_range must be/);
  });

  it.each([
    [{}, 'read: file_path is required'],
    [{ file_path: 7 }, 'read: file_path must be a string'],
    [{ file_path: 'a\0b' }, 'read: file_path must not hold a NUL character'],
    [{ file_path: 'gone' }, 'read: gone: no such file or directory'],
    [{ file_path: '/home/agent' }, 'read: /home/agent is not a regular file'],
    [{ file_path: 'pipe' }, 'read: pipe is not a regular file'],
    [
      { file_path: '/etc/shadow' },
      expect.stringMatching(/^read: \/etc\/shadow: (permission denied|no such)/),
    ],
    ['text', 'read: the input must be an object'],
  ])('says what is wrong with %j', async (input, message: unknown) => {
    await bench.sh('[ -e pipe ] || mkfifo pipe');
    const outcome = await bench.use('read', input);
    expect(outcome).toEqual({ status: 'done', is_error: true, content: message });
  });

  it('answers no more than the model can take, and says how to go on', async () => {
    await bench.sh('seq 1 60000 > long; head -c 300000 /dev/zero | tr "\\0" x > line');
    expect(await bench.call('read', { file_path: 'long' })).toMatch(
      /^error: read: long has 348894 bytes, more than .* view_range: \[1, 500\]\.$/,
    );
    expect(await bench.call('read', { file_path: 'long', view_range: [59999, 0] })).toBe('59999\n60000\n');
    expect(await bench.call('read', { file_path: 'line', view_range: [1, 1] })).toMatch(
      /Narrow the view_range/,
    );
  });

  it('shows pictures as pictures, and says of other binary files what they are', async () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await bench.sh(`echo ${png} | base64 -d > dot.png; head -c 100 /dev/zero > zeros; echo %PDF-1.7 > x.pdf`);
    expect(await bench.use('read', { file_path: 'dot.png' })).toEqual({
      status: 'done',
      is_error: false,
      content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }],
    });
    const gif = 'R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=';
    await bench.sh(`echo ${gif} | base64 -d > dot.gif`);
    const request = {
      key: 'gif',
      tool: { type: 'agent_toolset_20260401', name: 'read' },
      input: { file_path: 'dot.gif' },
    };
    const first = await bench.client.perform(bench.id, request);
    expect(first).toMatchObject({ content: [{ source: { media_type: 'image/gif', data: gif } }] });
    // From the ledger it comes with its type.
    expect(await bench.client.perform(bench.id, request)).toEqual(first);
    expect(await bench.call('read', { file_path: 'zeros' })).toMatch(
      /^error: read: zeros is a binary file of 100/,
    );
    expect(await bench.call('read', { file_path: 'x.pdf' })).toMatch(
      /^error: read: x.pdf is a PDF .*pdftotext/,
    );
    await bench.sh('printf "\\x89PNG\\r\\n\\x1a\\n\\0\\0\\0\\rIHDR\\0\\0\\x40\\0\\0\\0\\0\\1" > wide.png');
    expect(await bench.call('read', { file_path: 'wide.png' })).toMatch(/16384 x 1 pixels/);
  });

  it('edits one place, or all of them, and nothing where it is not clear which', async () => {
    const edit = (old_string: unknown, new_string: unknown, replace_all?: unknown) =>
      bench.call('edit', { file_path: 'code', old_string, new_string, replace_all });
    await bench.call('write', { file_path: 'code', content: 'a = 1\nb = 1\n$& end' });
    expect(await edit('= 1', '= 2')).toBe('error: edit: old_string appears 2 times in code (must be unique)');
    expect(await edit('c', 'd')).toBe('error: edit: old_string not found in code');
    expect(await edit('', 'd')).toBe('error: edit: old_string is required');
    expect(await edit('a', undefined)).toBe('error: edit: new_string is required');
    expect(await edit('a', 'b', 'yes')).toBe('error: edit: replace_all must be true or false');
    expect(await edit('a = 1', '$& = $1')).toBe('edited code (1 replacement(s))');
    expect(await bench.sh('cat code')).toBe('$& = $1\nb = 1\n$& end');
    expect(await edit('$&', 'z', true)).toBe('edited code (2 replacement(s))');
    expect(await bench.sh('cat code')).toBe('z = $1\nb = 1\nz end');
    expect(await edit('b = 1\n', '')).toBe('edited code (1 replacement(s))');
    expect(await bench.sh('cat code')).toBe('z = $1\nz end');
    expect(await bench.call('edit', { file_path: 'no', old_string: 'a', new_string: 'b' })).toBe(
      'error: edit: no: no such file or directory',
    );
  });

  it('leaves bytes alone that an edit does not mean', async () => {
    await bench.sh(`printf 'one\\r\\nt\\xffo\\r\\nthree\\r\\n' > crlf`);
    expect(await bench.call('edit', { file_path: 'crlf', old_string: 'one\n', new_string: 'one\n1\n' })).toBe(
      'edited crlf (1 replacement(s))',
    );
    expect(await bench.sh('od -An -c crlf | tr -d " \\n"')).toBe('one\\r\\n1\\r\\nt377o\\r\\nthree\\r\\n');
  });

  it('has no tool but its own, and names them', async () => {
    expect(await bench.call('web_search', { query: 'x' })).toBe(
      'error: agent_toolset_20260401 has no tool web_search here; it has read, write, edit, glob, grep, bash, web_fetch',
    );
  });

  it('performs a write once for a key, and takes no other under it', async () => {
    const tool = { type: 'agent_toolset_20260401', name: 'edit' };
    const request = { key: 'once', tool, input: { file_path: 'n', old_string: 'x', new_string: 'xx' } };
    await bench.call('write', { file_path: 'n', content: 'x' });
    const first = await bench.client.perform(bench.id, request);
    bench.test.killDaemon(bench.id);
    expect(await bench.client.perform(bench.id, request)).toEqual(first);
    expect(await bench.sh('cat n')).toContain('xx');
    expect(await bench.sh('wc -c < n')).toBe('2');
  });

  it('puts the values of secrets into what is written, and takes them out of what is read', async () => {
    const secrets = [{ name: 'TOKEN', value: 'hunter2hunter2', tools: ['editor'] as const }];
    const perform = (name: string, input: object) =>
      bench.client.perform(bench.id, {
        key: bench.test.newKey(),
        tool: { type: 'agent_toolset_20260401', name },
        input,
        secrets,
      });
    await perform('write', { file_path: 'env', content: 'T={{secret:TOKEN}}' });
    expect(await bench.sh('cat env')).toBe('T=hunter2hunter2');
    expect(await perform('read', { file_path: 'env' })).toMatchObject({
      content: [{ type: 'text', text: 'T=[secret:TOKEN]' }],
    });
    await perform('edit', { file_path: 'env', old_string: '{{secret:TOKEN}}', new_string: 'gone' });
    expect(await bench.sh('cat env')).toBe('T=gone');
    expect(await perform('bash', { command: 'echo $TOKEN' })).toMatchObject({
      is_error: true,
      content: expect.stringContaining('may not be used with the bash tool') as unknown,
    });
  });
});
