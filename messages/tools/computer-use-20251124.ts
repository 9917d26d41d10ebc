import { z } from 'zod';
import type { ComputerTool } from '../api/api-types.ts';
import { COMPUTER_INPUTS, computerFields, displayLine, LOOK_LINES } from './computer-fields.ts';
import { ACTION_LINES_20250124, actionFunction, ACTIONS_20250124 } from './computer-use-20250124.ts';
import type { ProviderToolKind } from './provider-tool.ts';

type Computer = Extract<ComputerTool, { type: 'computer_20251124' }>;

function actionsOf({ enable_zoom: zoom = false }: Computer): readonly string[] {
  return zoom ? [...ACTIONS_20250124, 'zoom'] : ACTIONS_20250124;
}

/** Adds `zoom`, for clients that ask for it with `enable_zoom`. */
export const computer20251124: ProviderToolKind<Computer> = {
  type: 'computer_20251124',
  beta: 'computer-use-2025-11-24',
  schema: z.strictObject({
    type: z.literal('computer_20251124'),
    enable_zoom: z.exactOptional(z.boolean()),
    ...computerFields,
  }),
  // The documentation has one figure for the earlier versions, which was measured with computer_20250124.
  tokens: () => 735,
  describe: (tool) =>
    [
      displayLine(tool.name, tool),
      `  \`action\` is one of ${actionsOf(tool).join(', ')}.`,
      ...ACTION_LINES_20250124,
      ...(tool.enable_zoom === true
        ? ['  zoom shows the part `region`, [x0, y0, x1, y1], enlarged: use it to read what is small.']
        : []),
      ...LOOK_LINES,
    ].join('\n'),
  functions: (tool) => [
    actionFunction(
      tool,
      actionsOf(tool),
      tool.enable_zoom === true ? { region: COMPUTER_INPUTS.region } : undefined,
    ),
  ],
};
