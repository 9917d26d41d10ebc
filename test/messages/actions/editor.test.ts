import { assertProperty, fc } from '../../support/fast-check.ts';
import type { EditorCommand } from '../../../messages/actions/action.ts';
import { decodeEditor, encodeEditor } from '../../../messages/actions/editor.ts';
import { EDITOR_FORMS } from '../../../messages/tools/editor-fields.ts';
import type { EditorGeneration } from '../../../messages/tools/generations.ts';

const GENERATIONS = Object.keys(EDITOR_FORMS) as EditorGeneration[];
const PAIRS = GENERATIONS.flatMap((from) => GENERATIONS.map((to) => [from, to] as const));

const path = fc.string({ unit: 'binary' });
const text = fc.string({ unit: 'binary' });
const command: fc.Arbitrary<EditorCommand> = fc.oneof(
  path.map((where): EditorCommand => ({ type: 'view', path: where })),
  fc
    .tuple(path, fc.integer(), fc.integer())
    .map(([where, first, last]): EditorCommand => ({ type: 'view', path: where, range: [first, last] })),
  fc.tuple(path, text).map(([where, whole]): EditorCommand => ({ type: 'create', path: where, text: whole })),
  fc.tuple(path, text).map(([where, old]): EditorCommand => ({ type: 'str_replace', path: where, old })),
  fc.tuple(path, text, text).map(([where, old, replacement]): EditorCommand => ({
    type: 'str_replace',
    path: where,
    old,
    with: replacement,
  })),
  fc
    .tuple(path, fc.nat(), text)
    .map(([where, line, added]): EditorCommand => ({ type: 'insert', path: where, line, text: added })),
  path.map((where): EditorCommand => ({ type: 'undo_edit', path: where })),
);

describe.each(PAIRS)('editor commands from %s to %s', (from, to) => {
  it('mean the same, or are refused with a reason', () => {
    assertProperty(300, command, (meant) => {
      const asked = encodeEditor(EDITOR_FORMS[from], meant);
      if (asked.inputs === undefined) {
        return meant.type === 'undo_edit' && !EDITOR_FORMS[from].undo;
      }
      expect(asked.inputs).toHaveLength(1);
      const understood = asked.inputs.map((input) => decodeEditor(EDITOR_FORMS[from], input).action);
      expect(understood).toEqual([meant]);
      const done = encodeEditor(EDITOR_FORMS[to], meant);
      if (done.inputs === undefined) {
        return meant.type === 'undo_edit' && !EDITOR_FORMS[to].undo && done.refused.includes('undo_edit');
      }
      expect(done.inputs.map((input) => decodeEditor(EDITOR_FORMS[to], input).action)).toEqual([meant]);
      return true;
    });
  });
});

describe('input of the editor', () => {
  const old = EDITOR_FORMS.text_editor_20241022;
  const today = EDITOR_FORMS.text_editor_20250728;

  it('that names the inserted text as another generation does is understood', () => {
    const meant = { action: { type: 'insert', path: '/a', line: 0, text: 'x' } };
    expect(decodeEditor(today, { command: 'insert', path: '/a', insert_line: 0, new_str: 'x' })).toEqual(
      meant,
    );
    expect(decodeEditor(old, { command: 'insert', path: '/a', insert_line: 0, insert_text: 'x' })).toEqual(
      meant,
    );
    const both = { command: 'insert', path: '/a', insert_line: 0, insert_text: 'x', new_str: 'y' };
    expect(decodeEditor(today, both)).toEqual(meant);
  });

  it.each<[Record<string, unknown>, string]>([
    [
      {},
      'Unrecognized command undefined. The allowed commands for the str_replace_based_edit_tool tool are: view',
    ],
    [{ command: 'undo_edit', path: '/a' }, 'Unrecognized command undo_edit.'],
    [{ command: 'view' }, 'Parameter `path` is required for command: view'],
    [{ command: 'create', path: '/a' }, 'Parameter `file_text` is required for command: create'],
    [{ command: 'str_replace', path: '/a' }, 'Parameter `old_str` is required for command: str_replace'],
    [
      { command: 'insert', path: '/a', insert_text: 'x' },
      'Parameter `insert_line` is required for command: insert',
    ],
    [
      { command: 'insert', path: '/a', insert_line: 1 },
      'Parameter `insert_text` is required for command: insert',
    ],
    [
      { command: 'view', path: '/a', view_range: [1] },
      'Invalid `view_range`. It should be a list of two integers.',
    ],
    [{ command: 'view', path: 7 }, '7 must be a string'],
  ])('%j means nothing: %s', (input, reason) => {
    expect(decodeEditor(today, input).invalid).toContain(reason);
  });
});
