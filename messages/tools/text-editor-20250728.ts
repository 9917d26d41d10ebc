import { z } from 'zod';
import type { TextEditorTool } from '../api/api-types.ts';
import { integer } from '../schema/fields/integer.ts';
import { sharedToolFields } from '../schema/fields/tool-fields.ts';
import { describeEditor, EDITOR_FORMS, editorFunction } from './editor-fields.ts';
import type { ProviderToolKind } from './provider-tool.ts';

type Editor = Extract<TextEditorTool, { type: 'text_editor_20250728' }>;

const form = EDITOR_FORMS.text_editor_20250728;

/** What is inserted has a field of its own, and the client may say how much of a file a view shows. */
export const textEditor20250728: ProviderToolKind<Editor> = {
  type: 'text_editor_20250728',
  beta: null,
  schema: z.strictObject({
    type: z.literal('text_editor_20250728'),
    name: z.literal('str_replace_based_edit_tool'),
    max_characters: z.exactOptional(z.nullable(integer(1))),
    ...sharedToolFields,
  }),
  // The documentation has no figure of its own for this one; it is the tool of 20250429 with an option more.
  tokens: () => 700,
  describe: ({ max_characters: characters }) =>
    describeEditor(form) +
    (characters == null ? '' : ` A view shows at most ${characters} characters of a file.`),
  functions: () => [editorFunction(form)],
};
