import { z } from 'zod';
import type { TextEditorTool } from '../api/api-types.ts';
import { sharedToolFields } from '../schema/fields/tool-fields.ts';
import { describeEditor, editorFunction, type EditorForm } from './editor-fields.ts';
import type { ProviderToolKind } from './provider-tool.ts';

type Editor = Extract<TextEditorTool, { type: 'text_editor_20250429' }>;

const form: EditorForm = { insertField: 'new_str', undo: false };

/** Gives up `undo_edit` and takes another name. */
export const textEditor20250429: ProviderToolKind<Editor> = {
  type: 'text_editor_20250429',
  beta: null,
  schema: z.strictObject({
    type: z.literal('text_editor_20250429'),
    name: z.literal('str_replace_based_edit_tool'),
    ...sharedToolFields,
  }),
  tokens: () => 700,
  describe: ({ name }) => describeEditor(name, form),
  functions: ({ name }) => [editorFunction(name, form)],
};
