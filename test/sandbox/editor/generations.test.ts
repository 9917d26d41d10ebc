import type { Compat } from '@steadyhand/contracts';
import { editorBench, numbered } from './editor-bench.ts';
import { openedForEach } from '../../support/opened.ts';

const F = 'DIR/f';
const VIEW = { command: 'view', path: F };

/** What each generation of the editor takes, beside what all of them have in common. */
describe.each<Compat>(['reference', 'default'])('generations of the editor, compat %s', (compat) => {
  const editor = openedForEach(() => editorBench(compat));
  beforeEach(async () => {
    await editor.put('f', 'one\ntwo\n');
  });

  test.each(['text_editor_20241022', 'text_editor_20250124'])('%s undoes', async (type) => {
    editor.use({ type, name: 'str_replace_editor' });
    await editor.call({ command: 'insert', path: F, insert_line: 0, new_str: 'zero' });
    expect(await editor.call({ command: 'undo_edit', path: F })).toBe(
      `Last edit to DIR/f undone successfully. Here's the result of running \`cat -n\` on DIR/f:\n${numbered(['one', 'two', ''])}`,
    );
    expect(await editor.call({ command: 'cut', path: F })).toBe(
      'error: Unrecognized command cut. The allowed commands for the str_replace_editor tool are: view, create, str_replace, insert, undo_edit',
    );
  });

  test.each(['text_editor_20250429', 'text_editor_20250728'])('%s does not undo', async (type) => {
    editor.use({ type, name: 'str_replace_based_edit_tool' });
    await editor.call({ command: 'str_replace', path: F, old_str: 'one', new_str: '1' });
    expect(await editor.call({ command: 'undo_edit', path: F })).toBe(
      'error: Unrecognized command undo_edit. The allowed commands for the str_replace_based_edit_tool tool are: view, create, str_replace, insert',
    );
    expect(await editor.bytes('f')).toBe('1\ntwo\n');
  });

  test.each([
    ['text_editor_20241022', 'new_str', 'insert_text'],
    ['text_editor_20250429', 'new_str', 'insert_text'],
    ['text_editor_20250728', 'insert_text', 'new_str'],
  ])('%s inserts %s', async (type, field, other) => {
    editor.use({ type, name: 'editor' });
    const insert = { command: 'insert', path: F, insert_line: 1 };
    expect(await editor.call(insert)).toBe(`error: Parameter \`${field}\` is required for command: insert`);
    const answer = await editor.call({ ...insert, [other]: 'other' });
    expect(answer.startsWith('error: ')).toBe(compat === 'reference');
    await editor.put('f', 'one\ntwo\n');
    await editor.call({ ...insert, [field]: 'mid', [other]: 'other' });
    expect(await editor.bytes('f')).toBe('one\nmid\ntwo\n');
  });

  it('shows as many characters as the definition of text_editor_20250728 says', async () => {
    await editor.put('f', 'x'.repeat(20_000));
    const shown = async (definition: object): Promise<number> => {
      editor.use({ type: 'text_editor_20250728', name: 'editor', ...definition });
      return (await editor.call(VIEW)).match(/x+/)?.[0]?.length ?? 0;
    };
    expect(await shown({})).toBe(16_000);
    expect(await shown({ max_characters: null })).toBe(16_000);
    expect(await shown({ max_characters: 10 })).toBe(10);
    expect(await shown({ max_characters: 18_000 })).toBe(18_000);
    expect(await shown({ max_characters: 20_000 })).toBe(20_000);
    // No other generation has it.
    expect(await shown({ type: 'text_editor_20250429', max_characters: 10 })).toBe(16_000);
  });

  it('refuses a type that it does not know', async () => {
    editor.use({ type: 'text_editor_20990101', name: 'editor' });
    expect(await editor.call(VIEW)).toBe(
      'error: text_editor_20990101 is not a text editor that this sandbox has',
    );
  });
});
