import { z } from 'zod';
import type { ComputerTool } from '../api/api-types.ts';
import { COMPUTER_INPUTS, computerFields, displayLine, duration, LOOK_LINES } from './computer-fields.ts';
import { ACTIONS_20241022 } from './computer-use-20241022.ts';
import type { ProviderToolKind } from './provider-tool.ts';
import { choice, objectSchema, text, type PropertySchema, type ToolFunction } from './tool-function.ts';

type Computer = Extract<ComputerTool, { type: 'computer_20250124' }>;

export const ACTIONS_20250124 = [
  ...ACTIONS_20241022,
  'left_mouse_down',
  'left_mouse_up',
  'triple_click',
  'scroll',
  'hold_key',
  'wait',
] as const;

/** The longest `hold_key` and `wait` of the tools with an `action`, in seconds. */
const LONGEST_SECONDS = 100;

/** The lines that tell a model of the actions of this generation and the next. */
export const ACTION_LINES_20250124 = [
  '  The clicks, double_click and triple_click take an optional `coordinate`, [x, y] in pixels from the top left corner,',
  '  and else act where the cursor is; mouse_move takes one. left_click_drag goes from `start_coordinate` to',
  '  `coordinate`; left_mouse_down and left_mouse_up hold the button in between. scroll takes `scroll_direction`,',
  '  `scroll_amount` in clicks of the wheel and an optional `coordinate`. key takes `text`, a key or a combination in',
  '  xdotool syntax such as ctrl+s or Page_Down; with a click or a scroll `text` is the keys to hold meanwhile. type',
  '  takes the `text` to type, hold_key `text` and `duration`, wait `duration`, both in seconds.',
];

/** A computer tool with an `action` as a function; `further` inputs are those of later generations. */
export function actionFunction(
  { name, display_width_px: width, display_height_px: height }: ComputerTool,
  actions: readonly string[],
  further: Readonly<Record<string, PropertySchema>> = {},
): ToolFunction {
  const { coordinate, start_coordinate, scroll_direction, scroll_amount } = COMPUTER_INPUTS;
  return {
    name,
    description: `Uses the mouse and the keyboard of a computer and looks at its screen, ${width} by ${height} pixels.`,
    input_schema: objectSchema(
      {
        action: choice(actions, 'What to do'),
        coordinate,
        start_coordinate,
        text: text(
          'For type the text to type; for key and hold_key a key or combination as xdotool has them, e.g. ctrl+s, ' +
            'Return; for clicks and scroll the keys to hold meanwhile',
        ),
        scroll_direction,
        scroll_amount,
        duration: duration(LONGEST_SECONDS),
        ...further,
      },
      ['action'],
    ),
  };
}

/** Adds scrolling, held keys and buttons, waiting and the triple click; clicks take a coordinate. */
export const computer20250124: ProviderToolKind<Computer> = {
  type: 'computer_20250124',
  beta: 'computer-use-2025-01-24',
  schema: z.strictObject({ type: z.literal('computer_20250124'), ...computerFields }),
  tokens: () => 735,
  describe: (tool) =>
    [
      displayLine(tool.name, tool),
      `  \`action\` is one of ${ACTIONS_20250124.join(', ')}.`,
      ...ACTION_LINES_20250124,
      ...LOOK_LINES,
    ].join('\n'),
  functions: (tool) => [actionFunction(tool, ACTIONS_20250124)],
};
