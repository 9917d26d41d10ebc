import { z } from 'zod';
import type { TextEditorTool } from '../api/api-types.ts';
import { integer, sharedToolFields } from '../schema/fields/shared.ts';
import { describeEditor, EDITOR_FORMS, editorFunction } from './editor-fields.ts';
import type { ProviderToolKind } from './provider-tool.ts';

/** The text editor of a generation, whose requests have this schema. */
function textEditor<T extends TextEditorTool>(
  type: T['type'],
  beta: string | null,
  schema: z.ZodType<T>,
): ProviderToolKind<T> {
  const form = EDITOR_FORMS[type];
  return {
    type,
    beta,
    schema,
    // The documentation has one figure for all generations.
    tokens: () => 700,
    describe: () => describeEditor(form),
    functions: () => [editorFunction(form)],
  };
}

const first = { name: z.literal('str_replace_editor'), ...sharedToolFields };
const later = { name: z.literal('str_replace_based_edit_tool'), ...sharedToolFields };

export const textEditor20241022 = textEditor(
  'text_editor_20241022',
  'computer-use-2024-10-22',
  z.strictObject({ type: z.literal('text_editor_20241022'), ...first }),
);

/** The same editor as in 20241022. */
export const textEditor20250124 = textEditor(
  'text_editor_20250124',
  null,
  z.strictObject({ type: z.literal('text_editor_20250124'), ...first }),
);

/** Gives up `undo_edit` and takes another name. */
export const textEditor20250429 = textEditor(
  'text_editor_20250429',
  null,
  z.strictObject({ type: z.literal('text_editor_20250429'), ...later }),
);

const editor20250728 = textEditor(
  'text_editor_20250728',
  null,
  z.strictObject({
    type: z.literal('text_editor_20250728'),
    max_characters: z.exactOptional(z.nullable(integer(1))),
    ...later,
  }),
);

/** What is inserted has a field of its own, and the client may say how much of a file a view shows. */
export const textEditor20250728: typeof editor20250728 = {
  ...editor20250728,
  describe: (tool) =>
    editor20250728.describe(tool) +
    (tool.max_characters == null ? '' : ` A view shows at most ${tool.max_characters} characters of a file.`),
};
