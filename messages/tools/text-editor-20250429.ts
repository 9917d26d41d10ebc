import { z } from 'zod';
import type { TextEditorTool } from '../api/api-types.ts';
import { sharedToolFields } from '../schema/fields/tool-fields.ts';
import { describeEditor, EDITOR_FORMS, editorFunction } from './editor-fields.ts';
import type { ProviderToolKind } from './provider-tool.ts';

type Editor = Extract<TextEditorTool, { type: 'text_editor_20250429' }>;

const form = EDITOR_FORMS.text_editor_20250429;

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
  describe: () => describeEditor(form),
  functions: () => [editorFunction(form)],
};
