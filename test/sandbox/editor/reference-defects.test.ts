import { editorBench, numbered, REVIEW } from './editor-bench.ts';
import { openedForEach } from '../../support/opened.ts';

const F = 'DIR/f';

/** Where `compat: reference` answers and writes as the reference does, for better or worse. */
describe('reference compat reproduces the reference, its defects too', () => {
  const editor = openedForEach(() => editorBench('reference'));

  const replace = (old_str: string, new_str?: string): Promise<string> =>
    editor.call({ command: 'str_replace', path: F, old_str, new_str });

  test('an edit turns tabs into spaces and CRLF into LF, and undo does not bring them back', async () => {
    await editor.put('f', 'a\tb\r\nc\rd\n');
    expect(await replace('c', '\tx')).toBe(
      `The file DIR/f has been edited. Here's the result of running \`cat -n\` on a snippet of DIR/f:\n` +
        numbered(['a       b', '        x', 'd', '']) +
        REVIEW,
    );
    expect(await editor.bytes('f')).toBe('a       b\n        x\nd\n');
    await editor.call({ command: 'undo_edit', path: F });
    expect(await editor.bytes('f')).toBe('a       b\nc\nd\n');
  });

  test('a view shows tabs as spaces', async () => {
    await editor.put('f', 'a\tb');
    expect(await editor.call({ command: 'view', path: F })).toBe(
      `Here's the result of running \`cat -n\` on DIR/f:\n${numbered(['a       b'])}`,
    );
  });

  test.each([
    ['ff', 'byte 0xff in position 0: invalid start byte'],
    ['61c3', 'byte 0xc3 in position 1: unexpected end of data'],
    ['61c328', 'byte 0xc3 in position 1: invalid continuation byte'],
    ['e282', 'bytes in position 0-1: unexpected end of data'],
    ['f0908062', 'bytes in position 0-2: invalid continuation byte'],
    ['eda080', 'byte 0xed in position 0: invalid continuation byte'],
    ['6180', 'byte 0x80 in position 1: invalid start byte'],
  ])('bytes %s are no UTF-8', async (hex, reason) => {
    await editor.put('f', Buffer.from(hex, 'hex'));
    expect(await editor.call({ command: 'view', path: F })).toBe(
      `error: Ran into 'utf-8' codec can't decode ${reason} while trying to read DIR/f`,
    );
  });

  test('an old_str with CRLF or a shifted tab is not found, and of several lines none is named', async () => {
    await editor.put('f', 'a\r\nb\r\nab\tc\n');
    expect(await replace('a\r\nb', 'x')).toContain('did not appear verbatim');
    expect(await replace('b\tc', 'x')).toBe(
      'error: No replacement was performed, old_str `b       c` did not appear verbatim in DIR/f.',
    );
    await editor.put('f', 'a\nb\na\nb\n');
    expect(await replace('a\nb', 'x')).toContain(' in lines []. ');
  });

  test('a lone surrogate empties the file', async () => {
    await editor.put('f', 'ab\n');
    expect(await replace('b', '\ud83d')).toBe(
      "error: Ran into 'utf-8' codec can't encode character '\\ud83d' in position 1: surrogates not allowed while trying to write to DIR/f",
    );
    expect(await editor.bytes('f')).toBe('');
  });

  test('missing folders are not made, and the path suggested is the one given', async () => {
    expect(await editor.call({ command: 'create', path: 'DIR/x/y', file_text: '' })).toBe(
      "error: Ran into [Errno 2] No such file or directory: 'DIR/x/y' while trying to write to DIR/x/y",
    );
    expect(await editor.call({ command: 'view', path: 'x/./y' })).toBe(
      'error: The path x/y is not an absolute path, it should start with `/`. Maybe you meant x/y?',
    );
  });
});
