import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Compat } from '@steadyhand/contracts';
import { editorBench, numbered, REVIEW, REVIEW_INSERT } from './editor-bench.ts';
import { openedForEach } from '../../support/opened.ts';

const A = 'DIR/a.txt';
const TEN = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`);

/** The answers in which both compats are the reference's, to the letter. */
describe.each<Compat>(['reference', 'default'])('editor texts, compat %s', (compat) => {
  const editor = openedForEach(() => editorBench(compat));
  beforeEach(async () => {
    await editor.put('a.txt', `${TEN.join('\n')}\n`);
    await mkdir(join(editor.folder, 'sub/deep/deeper'), { recursive: true });
    await mkdir(join(editor.folder, '.hidden'));
    await editor.put('sub/b.txt', '');
  });

  test.each<[what: string, input: Record<string, unknown>, answer: string]>([
    [
      'a file',
      { command: 'view', path: A },
      `Here's the result of running \`cat -n\` on ${A}:\n${numbered([...TEN, ''])}`,
    ],
    [
      'a range',
      { command: 'view', path: A, view_range: [2, 3] },
      `Here's the result of running \`cat -n\` on ${A}:\n${numbered(['line 2', 'line 3'], 2)}`,
    ],
    [
      'a range to the end',
      { command: 'view', path: A, view_range: [10, -1] },
      `Here's the result of running \`cat -n\` on ${A}:\n${numbered(['line 10', ''], 10)}`,
    ],
    [
      'an empty range is none',
      { command: 'view', path: 'DIR/sub/b.txt', view_range: [] },
      `Here's the result of running \`cat -n\` on DIR/sub/b.txt:\n${numbered([''])}`,
    ],
    [
      'a path is cleaned',
      { command: 'view', path: 'DIR//./sub//b.txt/' },
      `Here's the result of running \`cat -n\` on DIR/sub/b.txt:\n${numbered([''])}`,
    ],
    [
      'a directory',
      { command: 'view', path: 'DIR/sub/deep' },
      "Here's the files and directories up to 2 levels deep in DIR/sub/deep, excluding hidden items:\n" +
        'DIR/sub/deep\nDIR/sub/deep/deeper\n\n',
    ],
    [
      'a directory with a range',
      { command: 'view', path: 'DIR', view_range: [1, 2] },
      'error: The `view_range` parameter is not allowed when `path` points to a directory.',
    ],
    [
      'a range of one',
      { command: 'view', path: A, view_range: [1] },
      'error: Invalid `view_range`. It should be a list of two integers.',
    ],
    [
      'a range of texts',
      { command: 'view', path: A, view_range: ['1', 2] },
      'error: Invalid `view_range`. It should be a list of two integers.',
    ],
    [
      'a range from 0',
      { command: 'view', path: A, view_range: [0, 2] },
      'error: Invalid `view_range`: [0, 2]. Its first element `0` should be within the range of lines of the file: [1, 11]',
    ],
    [
      'a range past the end',
      { command: 'view', path: A, view_range: [2, 12] },
      'error: Invalid `view_range`: [2, 12]. Its second element `12` should be smaller than the number of lines in the file: `11`',
    ],
    [
      'a range backwards',
      { command: 'view', path: A, view_range: [3, 2] },
      'error: Invalid `view_range`: [3, 2]. Its second element `2` should be larger or equal than its first `3`',
    ],
    [
      'a missing file',
      { command: 'view', path: 'DIR/no' },
      'error: The path DIR/no does not exist. Please provide a valid path.',
    ],
    [
      'an unknown command on a missing file',
      { command: 'cat', path: 'DIR/no' },
      'error: The path DIR/no does not exist. Please provide a valid path.',
    ],
    [
      'an unknown command',
      { command: 'cat', path: A },
      'error: Unrecognized command cat. The allowed commands for the str_replace_editor tool are: view, create, str_replace, insert, undo_edit',
    ],
    [
      'create without text',
      { command: 'create', path: 'DIR/n' },
      'error: Parameter `file_text` is required for command: create',
    ],
    ['create', { command: 'create', path: 'DIR/n', file_text: 'x' }, 'File created successfully at: DIR/n'],
    [
      'create an empty file',
      { command: 'create', path: 'DIR/n', file_text: '' },
      'File created successfully at: DIR/n',
    ],
    [
      'create over a file',
      { command: 'create', path: A, file_text: 'x' },
      `error: File already exists at: ${A}. Cannot overwrite files using command \`create\`.`,
    ],
    [
      'create over a directory',
      { command: 'create', path: 'DIR/sub', file_text: 'x' },
      'error: File already exists at: DIR/sub. Cannot overwrite files using command `create`.',
    ],
    [
      'create below a file',
      { command: 'create', path: `${A}/x`, file_text: 'x' },
      `error: Ran into [Errno 20] Not a directory: '${A}/x' while trying to write to ${A}/x`,
    ],
    [
      'edit a directory',
      { command: 'insert', path: 'DIR/sub', insert_line: 0, new_str: 'x' },
      'error: The path DIR/sub is a directory and only the `view` command can be used on directories',
    ],
    [
      'replace without old_str',
      { command: 'str_replace', path: A },
      'error: Parameter `old_str` is required for command: str_replace',
    ],
    [
      'replace what is not there',
      { command: 'str_replace', path: A, old_str: 'Line 1', new_str: 'x' },
      `error: No replacement was performed, old_str \`Line 1\` did not appear verbatim in ${A}.`,
    ],
    [
      'replace what is there twice',
      { command: 'str_replace', path: A, old_str: 'line 1', new_str: 'x' },
      'error: No replacement was performed. Multiple occurrences of old_str `line 1` in lines [1, 10]. Please ensure it is unique',
    ],
    [
      'replace',
      { command: 'str_replace', path: A, old_str: 'line 6', new_str: 'six\nand a half' },
      `The file ${A} has been edited. Here's the result of running \`cat -n\` on a snippet of ${A}:\n` +
        numbered([...TEN.slice(1, 5), 'six', 'and a half', ...TEN.slice(6, 10)], 2) +
        REVIEW,
    ],
    [
      'delete',
      { command: 'str_replace', path: A, old_str: 'line 1\nline 2\n' },
      `The file ${A} has been edited. Here's the result of running \`cat -n\` on a snippet of ${A}:\n` +
        numbered(TEN.slice(2, 7)) +
        REVIEW,
    ],
    [
      'insert without a line',
      { command: 'insert', path: A, new_str: 'x' },
      'error: Parameter `insert_line` is required for command: insert',
    ],
    [
      'insert without text',
      { command: 'insert', path: A, insert_line: 1 },
      'error: Parameter `new_str` is required for command: insert',
    ],
    [
      'insert before the begin',
      { command: 'insert', path: A, insert_line: -1, new_str: 'x' },
      'error: Invalid `insert_line` parameter: -1. It should be within the range of lines of the file: [0, 11]',
    ],
    [
      'insert past the end',
      { command: 'insert', path: A, insert_line: 12, new_str: 'x' },
      'error: Invalid `insert_line` parameter: 12. It should be within the range of lines of the file: [0, 11]',
    ],
    [
      'insert at the begin',
      { command: 'insert', path: A, insert_line: 0, new_str: 'x' },
      `The file ${A} has been edited. Here's the result of running \`cat -n\` on a snippet of the edited file:\n` +
        numbered(['x', ...TEN.slice(0, 4)]) +
        REVIEW_INSERT,
    ],
    [
      'insert in the middle',
      { command: 'insert', path: A, insert_line: 6, new_str: 'x\ny' },
      `The file ${A} has been edited. Here's the result of running \`cat -n\` on a snippet of the edited file:\n` +
        numbered([...TEN.slice(2, 6), 'x', 'y', ...TEN.slice(6, 10)], 3) +
        REVIEW_INSERT,
    ],
    ['undo without an edit', { command: 'undo_edit', path: A }, `error: No edit history found for ${A}.`],
  ])('%s', async (_what, input, answer) => {
    expect(await editor.call(input)).toBe(answer);
  });

  test('undo goes back edit by edit, and to nothing further', async () => {
    const before = await editor.bytes('a.txt');
    await editor.call({ command: 'str_replace', path: A, old_str: 'line 2', new_str: 'two' });
    const between = await editor.bytes('a.txt');
    await editor.call({ command: 'insert', path: 'DIR/./a.txt', insert_line: 1, new_str: 'x' });
    expect(await editor.call({ command: 'undo_edit', path: A })).toBe(
      `Last edit to ${A} undone successfully. Here's the result of running \`cat -n\` on ${A}:\n` +
        numbered(between.split('\n')),
    );
    expect(await editor.bytes('a.txt')).toBe(between);
    await editor.call({ command: 'undo_edit', path: A });
    expect(await editor.bytes('a.txt')).toBe(before);
    expect(await editor.call({ command: 'undo_edit', path: A })).toBe(
      `error: No edit history found for ${A}.`,
    );
  });

  test('undo right after create says so and changes nothing', async () => {
    await editor.call({ command: 'create', path: 'DIR/n', file_text: 'x\ty\r\n' });
    expect(await editor.call({ command: 'undo_edit', path: 'DIR/n' })).toMatch(
      /^Last edit to DIR\/n undone successfully\. /,
    );
    expect(await editor.bytes('n')).toBe('x\ty\r\n');
  });

  test('a long file is clipped before it is numbered', async () => {
    await editor.put('long', `${'x'.repeat(15_999)}\n${'y'.repeat(10)}`);
    expect(await editor.call({ command: 'view', path: 'DIR/long' })).toBe(
      `Here's the result of running \`cat -n\` on DIR/long:\n${numbered([
        'x'.repeat(15_999),
        '<response clipped><NOTE>To save on context only part of this file has been shown to you. You should retry this tool after you have searched inside the file with `grep -n` in order to find the line numbers of what you are looking for.</NOTE>',
      ])}`,
    );
    await editor.put('just', '漢'.repeat(16_000));
    expect(await editor.call({ command: 'view', path: 'DIR/just' })).not.toContain('clipped');
    await editor.put('pairs', '😀'.repeat(16_001));
    expect(await editor.call({ command: 'view', path: 'DIR/pairs' })).toContain(
      `${'😀'.repeat(16_000)}<response clipped>`,
    );
  });

  test('a path through a symbolic link is edited where it leads', async () => {
    await symlink(join(editor.folder, 'sub/b.txt'), join(editor.folder, 'link'));
    await editor.call({ command: 'insert', path: 'DIR/link', insert_line: 0, new_str: 'x' });
    expect(await editor.bytes('sub/b.txt')).toBe('x\n');
  });
});
