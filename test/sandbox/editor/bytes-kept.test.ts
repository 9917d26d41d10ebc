import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { assertAsyncProperty, fc } from '../../support/fast-check.ts';
import { editorBench, numbered, REVIEW } from './editor-bench.ts';
import { openedForEach } from '../../support/opened.ts';

const F = 'DIR/f';

/** What the reference destroys and `compat: default` keeps: bytes on disk, each case with its exact bytes. */
describe('default compat keeps the bytes that an edit does not mean to change', () => {
  const editor = openedForEach(() => editorBench('default'));

  const replace = (old_str: string, new_str?: string): Promise<string> =>
    editor.call({ command: 'str_replace', path: F, old_str, new_str });

  test.each<[what: string, before: string, oldText: string, newText: string, after: string]>([
    ['tabs elsewhere', 'a\tb\n\tc\nd\n', 'd', 'e', 'a\tb\n\tc\ne\n'],
    ['tabs given as tabs', '\tc\n\td\n', '\tc', '\te', '\te\n\td\n'],
    [
      'tabs given as spaces',
      'if:\n\tc\n\td\n',
      '        c\n        d',
      '        c\n        e',
      'if:\n\tc\n\te\n',
    ],
    ['a tab given as the spaces it looks like', 'ab\tc\n', 'ab      c', 'ab      d', 'ab\td\n'],
    ['text cut off before a shifted tab', 'ab\tc\td\n', 'b\tc', 'b\te', 'ab\te\td\n'],
    ['shifted tab given as spaces, one as a tab', 'ab\tc\td\n', 'b      c\td', 'b      x\td', 'ab\tx\td\n'],
    ['spaces given as a tab', 'x\n        c\n', '\tc', '\td', 'x\n        d\n'],
    ['an edit that begins within a tab', 'a\n\tb\n', '    b', '    c', 'a\n\tc\n'],
    ['an edit that takes half a tab', '\tb\n', '    b', 'b', '    b\n'],
    ['CRLF elsewhere', 'a\r\nb\r\nc\r\n', 'b', 'x', 'a\r\nx\r\nc\r\n'],
    ['CRLF given as LF', 'a\r\nb\r\nc\r\n', 'a\nb', 'a\nx', 'a\r\nx\r\nc\r\n'],
    ['CRLF given as CRLF', 'a\r\nb\r\nc\r\n', 'a\r\nb', 'a\r\nx\r\ny', 'a\r\nx\r\ny\r\nc\r\n'],
    ['new lines in a CRLF file', 'a\r\nb\r\n', 'b', 'x\ny', 'a\r\nx\r\ny\r\n'],
    ['LF given as CRLF', 'a\nb\nc\n', 'a\r\nb', 'a\r\nx\r\ny', 'a\nx\ny\nc\n'],
    ['CRLF and tabs given as LF and spaces', 'a\r\n\tb\r\n', 'a\n        b', 'a\n        c', 'a\r\n\tc\r\n'],
    ['mixed line ends', 'a\r\nb\nc\nd\n', 'c', 'x', 'a\r\nb\nx\nd\n'],
    ['a lone CR', 'a\rb\nc\n', 'c', 'x', 'a\rb\nx\n'],
    ['no line end at the end', 'a\nb', 'b', 'c', 'a\nc'],
    ['bytes that are no UTF-8', 'caf\xe9 \xff\nb\n', 'b', 'x', 'caf\xe9 \xff\nx\n'],
    ['a byte order mark', '\xef\xbb\xbfa\nb\n', 'b', 'x', '\xef\xbb\xbfa\nx\n'],
    ['wide characters beside tabs', '\xf0\x9f\x98\x80\ta\n', 'a', 'b', '\xf0\x9f\x98\x80\tb\n'],
    ['a dollar sign in the new text', 'a\n', 'a', "$& $1 $'", "$& $1 $'\n"],
    ['an empty old_str in an empty file', '', '', 'x\n', 'x\n'],
  ])('%s', async (_what, before, oldText, newText, after) => {
    await editor.put('f', Buffer.from(before, 'latin1'));
    expect(await replace(oldText, newText)).toMatch(/^The file DIR\/f has been edited\. /);
    expect(await editor.bytes('f')).toBe(after);
    expect(await editor.call({ command: 'undo_edit', path: F })).toMatch(/^Last edit to DIR\/f undone/);
    expect(await editor.bytes('f')).toBe(before);
  });

  test.each<[what: string, before: string, line: number, text: string, after: string]>([
    ['tabs elsewhere', 'a\tb\n\tc\n', 1, '\tx', 'a\tb\n\tx\n\tc\n'],
    ['in a CRLF file', 'a\r\nb\r\n', 1, 'x\ny', 'a\r\nx\r\ny\r\nb\r\n'],
    ['at the begin of a CRLF file', 'a\r\nb\r\n', 0, 'x', 'x\r\na\r\nb\r\n'],
    ['past the last line end of a CRLF file', 'a\r\nb\r\n', 3, 'x', 'a\r\nb\r\n\r\nx'],
    ['after a last line without an end', 'a\r\nb', 2, 'x', 'a\r\nb\r\nx'],
    ['beside bytes that are no UTF-8', '\xff\n', 1, '\u00e9', '\xff\n\xc3\xa9\n'],
    ['in an empty file', '', 0, 'x', 'x\n'],
  ])('insert %s', async (_what, before, insert_line, new_str, after) => {
    await editor.put('f', Buffer.from(before, 'latin1'));
    expect(await editor.call({ command: 'insert', path: F, insert_line, new_str })).toMatch(/^The file/);
    expect(await editor.bytes('f')).toBe(after);
  });

  test('a place that looks the same twice is refused with the lines of both, and nothing is written', async () => {
    await editor.put('f', '\ta\nb\n        a\nb\n');
    expect(await replace('        a\nb', 'x')).toMatch(/edited/);
    await editor.put('f', 'x\r\n\ta\r\n\tb\r\n        a\r\n\tb\r\n');
    expect(await replace('        a\n        b', 'x')).toBe(
      'error: No replacement was performed. Multiple occurrences of old_str `        a\n        b` in lines [2, 4]. Please ensure it is unique',
    );
    expect(await editor.bytes('f')).toBe('x\r\n\ta\r\n\tb\r\n        a\r\n\tb\r\n');
  });

  test('lines of several lines that occur twice are named', async () => {
    await editor.put('f', 'a\nb\nc\na\nb\n');
    expect(await replace('a\nb', 'x')).toContain(' in lines [1, 4]. ');
  });

  test('tabs and CRLF are shown as a terminal shows them', async () => {
    await editor.put('f', Buffer.from('a\tb\r\n\xff\r\n', 'latin1'));
    expect(await editor.call({ command: 'view', path: F })).toBe(
      `Here's the result of running \`cat -n\` on DIR/f:\n${numbered(['a\tb', '\ufffd', ''])}`,
    );
    expect(await replace('a', 'c')).toBe(
      `The file DIR/f has been edited. Here's the result of running \`cat -n\` on a snippet of DIR/f:\n` +
        numbered(['c\tb', '\ufffd', '']) +
        REVIEW,
    );
  });

  test('any unique piece of any bytes is replaced and undone without touching another byte', async () => {
    const piece = fc.constantFrom('a', 'b', '\t', ' ', '        ', '\n', '\r\n', '\r', '\u00e9', '\u{1f600}');
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    const rest = fc.uint8Array({ maxLength: 12 });
    await assertAsyncProperty(150, rest, text, text, rest, async (head, before, after, tail) => {
      const mark = '<\u2603>';
      const file = (middle: string): Buffer =>
        Buffer.concat([head, Buffer.from(`${before}${middle}${after}`), tail]);
      await editor.put('f', file(mark));
      expect(await replace(mark, 'new')).toMatch(/^The file/);
      expect(await editor.bytes('f')).toBe(file('new').toString('latin1'));
      await editor.call({ command: 'undo_edit', path: F });
      expect(await editor.bytes('f')).toBe(file(mark).toString('latin1'));
    });
  });
});

describe('default compat refuses in words what the reference crashes or hangs on', () => {
  const editor = openedForEach(() => editorBench('default'));
  beforeEach(async () => {
    await editor.put('f', 'a\n');
  });

  test.each<[what: string, input: unknown, answer: string]>([
    ['no object', 'view', 'input must be an object with a command and a path'],
    [
      'no command',
      { path: F },
      'Parameter `command` is required. The allowed commands for the str_replace_editor tool are: view, create, str_replace, insert, undo_edit',
    ],
    ['no path', { command: 'view' }, 'Parameter `path` is required for command: view'],
    [
      'a path that is no text',
      { command: 'view', path: 5 },
      'Invalid `path` parameter: 5. It should be a string.',
    ],
    [
      'a relative path',
      { command: 'view', path: 'f' },
      'The path f is not an absolute path, it should start with `/`. Maybe you meant /f?',
    ],
    [
      'an empty path',
      { command: 'view', path: '' },
      'The path . is not an absolute path, it should start with `/`. Maybe you meant /.?',
    ],
    [
      'text that is none',
      { command: 'create', path: 'DIR/n', file_text: ['x'] },
      "Invalid `file_text` parameter: ['x']. It should be a string.",
    ],
    [
      'an old_str that is none',
      { command: 'str_replace', path: F, old_str: 1 },
      'Invalid `old_str` parameter: 1. It should be a string.',
    ],
    [
      'a line that is no number',
      { command: 'insert', path: F, insert_line: '1', new_str: 'x' },
      "Invalid `insert_line` parameter: '1'. It should be an integer.",
    ],
    [
      'half a line',
      { command: 'insert', path: F, insert_line: 0.5, new_str: 'x' },
      'Invalid `insert_line` parameter: 0.5. It should be an integer.',
    ],
    [
      'a range that is no list',
      { command: 'view', path: F, view_range: 3 },
      'Invalid `view_range`. It should be a list of two integers.',
    ],
    [
      'an empty old_str',
      { command: 'str_replace', path: F, old_str: '', new_str: 'x' },
      'No replacement was performed. Parameter `old_str` must not be empty.',
    ],
    [
      'a command that every object has',
      { command: 'constructor', path: F },
      'Unrecognized command constructor. The allowed commands for the str_replace_editor tool are: view, create, str_replace, insert, undo_edit',
    ],
    [
      'a name of 256 bytes',
      { command: 'view', path: `/tmp/${'n'.repeat(256)}` },
      `Ran into [Errno 36] File name too long: '/tmp/${'n'.repeat(256)}' while trying to read /tmp/${'n'.repeat(256)}`,
    ],
    [
      'a NUL in a name',
      { command: 'create', path: 'DIR/a\0b', file_text: '' },
      'Ran into embedded null byte while trying to write to DIR/a\0b',
    ],
    [
      'a lone surrogate in a file',
      { command: 'create', path: 'DIR/n', file_text: 'ab\ud800' },
      "Ran into 'utf-8' codec can't encode character '\\ud800' in position 2: surrogates not allowed while trying to write to DIR/n",
    ],
    [
      'a device',
      { command: 'view', path: '/dev/null' },
      'The path /dev/null is neither a file nor a directory.',
    ],
  ])('%s', async (_what, input, answer) => {
    expect(await editor.call(input)).toBe(`error: ${answer}`);
    expect(await editor.bytes('f')).toBe('a\n');
  });

  test('a FIFO never blocks', async () => {
    execFileSync('mkfifo', [join(editor.folder, 'fifo')]);
    expect(await editor.call({ command: 'view', path: 'DIR/fifo' })).toBe(
      'error: The path DIR/fifo is neither a file nor a directory.',
    );
  });

  test('a lone surrogate leaves the file as it was', async () => {
    for (const input of [
      { command: 'str_replace', path: F, old_str: 'a', new_str: 'x\udfff' },
      { command: 'insert', path: F, insert_line: 0, new_str: '\udc80' },
    ])
      expect(await editor.call(input)).toContain('surrogates not allowed while trying to write to DIR/f');
    expect(await editor.bytes('f')).toBe('a\n');
    expect(await editor.call({ command: 'undo_edit', path: F })).toBe(
      'error: No edit history found for DIR/f.',
    );
  });

  test('folders with any name, hidden or reached by a link, are listed, and no shell sees their names', async () => {
    for (const name of ['.hidden', 'with space', "quote'", '$(touch pwned)', 'star*', ';touch pwned'])
      await mkdir(join(editor.folder, name, 'inner'), { recursive: true });
    await symlink(join(editor.folder, 'with space'), join(editor.folder, 'link'));
    for (const name of ['.hidden', 'with space', "quote'", '$(touch pwned)', 'star*', ';touch pwned', 'link'])
      expect(await editor.call({ command: 'view', path: `DIR/${name}` })).toBe(
        `Here's the files and directories up to 2 levels deep in DIR/${name}, excluding hidden items:\nDIR/${name}\nDIR/${name}/inner\n\n`,
      );
    await expect(editor.bytes('pwned')).rejects.toThrow('ENOENT');
  });

  test('create makes missing folders', async () => {
    await editor.call({ command: 'create', path: 'DIR/x/y/z', file_text: 'deep' });
    expect(await editor.bytes('x/y/z')).toBe('deep');
  });
});
