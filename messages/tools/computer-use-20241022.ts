import { z } from 'zod';
import type { ComputerTool } from '../api/api-types.ts';
import { COMPUTER_INPUTS, computerFields, displayLine } from './computer-fields.ts';
import type { ProviderToolKind } from './provider-tool.ts';
import { choice, objectSchema, text } from './tool-function.ts';

type Computer = Extract<ComputerTool, { type: 'computer_20241022' }>;

export const ACTIONS_20241022 = [
  'key',
  'type',
  'mouse_move',
  'left_click',
  'left_click_drag',
  'right_click',
  'middle_click',
  'double_click',
  'screenshot',
  'cursor_position',
] as const;

/** Mouse, keyboard and screen. Coordinates are pixels from the top left corner of the display; clicks take none. */
export const computer20241022: ProviderToolKind<Computer> = {
  type: 'computer_20241022',
  beta: 'computer-use-2024-10-22',
  schema: z.strictObject({ type: z.literal('computer_20241022'), ...computerFields }),
  tokens: () => 683,
  describe: (tool) =>
    [
      displayLine(tool.name, tool),
      '  `action` is one of key, type, mouse_move, left_click, left_click_drag, right_click, middle_click, double_click,',
      '  screenshot, cursor_position. mouse_move and left_click_drag take `coordinate`, [x, y] in pixels from the top',
      '  left corner; the clicks take none and act where the cursor is, so move there first. key and type take `text`:',
      '  for key a key or a combination in xdotool syntax such as ctrl+s or Page_Down, for type the text to type.',
      '  Take a screenshot before you click, aim at the middle of what you mean, and look again afterwards: programs',
      '  need time to open. Page up and page down scroll more surely than the mouse.',
    ].join('\n'),
  functions: (tool) => [
    {
      name: tool.name,
      description:
        `Uses the mouse and the keyboard of a computer and looks at its screen, ${tool.display_width_px} by ` +
        `${tool.display_height_px} pixels. Clicks act where the cursor is: move it there first with mouse_move.`,
      input_schema: objectSchema(
        {
          action: choice(ACTIONS_20241022, 'What to do'),
          coordinate: {
            ...COMPUTER_INPUTS.coordinate,
            description:
              '[x, y] for mouse_move and left_click_drag: pixels from the left and from the top edge',
          },
          text: text(
            'For type the text to type; for key a key or combination as xdotool has them, e.g. ctrl+s, Return',
          ),
        },
        ['action'],
      ),
    },
  ],
};
