import { z } from 'zod';
import type { BashTool, ComputerTool, TextEditorTool } from '../api-types.ts';
import { integer } from '../schema/integer.ts';
import { sharedToolFields } from '../schema/tool-fields.ts';
import type { ProviderToolKind } from './provider-tool.ts';

const beta = 'computer-use-2024-10-22';

/** Mouse, keyboard and screen. Coordinates are pixels from the top left corner of the display. */
export const computer20241022: ProviderToolKind<ComputerTool> = {
  type: 'computer_20241022',
  beta,
  schema: z.strictObject({
    type: z.literal('computer_20241022'),
    name: z.literal('computer'),
    display_width_px: integer(1),
    display_height_px: integer(1),
    display_number: z.exactOptional(z.nullable(integer(0))),
    ...sharedToolFields,
  }),
  tokens: 683,
  describe({ name, display_width_px: width, display_height_px: height, display_number: display }) {
    return [
      `- ${name}: the mouse, the keyboard and the screen. The display is ${width} pixels wide and ${height} high` +
        `${display == null ? '' : `; it is the X11 display :${display}`}.`,
      '  `action` is one of key, type, mouse_move, left_click, left_click_drag, right_click, middle_click, double_click,',
      '  screenshot, cursor_position. mouse_move and left_click_drag take `coordinate`, [x, y] in pixels from the top',
      '  left corner; the clicks take none and act where the cursor is, so move there first. key and type take `text`:',
      '  for key a key or a combination in xdotool syntax such as ctrl+s or Page_Down, for type the text to type.',
      '  Take a screenshot before you click, aim at the middle of what you mean, and look again afterwards: programs',
      '  need time to open. Page up and page down scroll more surely than the mouse.',
    ].join('\n');
  },
};

export const textEditor20241022: ProviderToolKind<TextEditorTool> = {
  type: 'text_editor_20241022',
  beta,
  schema: z.strictObject({
    type: z.literal('text_editor_20241022'),
    name: z.literal('str_replace_editor'),
    ...sharedToolFields,
  }),
  tokens: 700,
  describe: ({ name }) =>
    [
      `- ${name}: views and edits files. \`command\` is one of view, create, str_replace, insert, undo_edit; \`path\``,
      '  is absolute. view shows a file with line numbers, or a `view_range` of it, or a directory two levels deep.',
      '  create takes `file_text` and never overwrites. str_replace swaps `old_str`, which must occur exactly once,',
      '  white space included, for `new_str`. insert puts `new_str` after line `insert_line`. undo_edit takes back the',
      '  last edit of the file. Long output is cut and marked <response clipped>.',
    ].join('\n'),
};

export const bash20241022: ProviderToolKind<BashTool> = {
  type: 'bash_20241022',
  beta,
  schema: z.strictObject({
    type: z.literal('bash_20241022'),
    name: z.literal('bash'),
    ...sharedToolFields,
  }),
  tokens: 245,
  describe: ({ name }) =>
    [
      `- ${name}: a shell that keeps its state from call to call. \`command\` is run as it is, without escaping;`,
      '  `restart: true` starts the shell afresh. Run what does not end by itself in the background, and avoid commands',
      '  with very large output.',
    ].join('\n'),
};
