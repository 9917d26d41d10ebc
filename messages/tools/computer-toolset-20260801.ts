import { z } from 'zod';
import type { ComputerMember, ComputerToolset, CustomTool } from '../api/api-types.ts';
import { cacheControl } from '../schema/fields/shared.ts';
import { toolsetDefinitionTokens } from './published-tokens.ts';
import { COMPUTER_INPUTS, duration } from './computer-fields.ts';
import type { ProviderToolKind } from './provider-tool.ts';
import { objectSchema, text, type PropertySchema } from './tool-function.ts';
import { COMPUTER_MEMBERS, membersOf } from './tool-names.ts';

/** The longest `hold_key` and `wait`, in seconds. */
const LONGEST_SECONDS = 300;

const memberConfig = z.exactOptional(
  z.nullable(
    z.strictObject({
      enabled: z.exactOptional(z.nullable(z.boolean())),
      defer_loading: z.exactOptional(z.nullable(z.boolean())),
    }),
  ),
);

/** The options for each member. At least one member stays enabled. */
export const toolsetConfigs = z
  .strictObject(
    Object.fromEntries(COMPUTER_MEMBERS.map((member) => [member, memberConfig])) as Record<
      ComputerMember,
      typeof memberConfig
    >,
  )
  .superRefine((given, context) => {
    const enabled = COMPUTER_MEMBERS.filter((member) => given[member]?.enabled !== false);
    if (enabled.length === 0) {
      context.addIssue({
        code: 'custom',
        message: 'at least one member must be enabled; leave the toolset out instead',
      });
    }
    const deferred = new Set(enabled.map((member) => given[member]?.defer_loading ?? false));
    if (deferred.size > 1) {
      context.addIssue({
        code: 'custom',
        message: '`defer_loading` must be the same for every enabled member of the toolset',
      });
    }
  });

const schema: z.ZodType<ComputerToolset> = z.strictObject({
  type: z.literal('computer_toolset_20260801'),
  configs: z.exactOptional(z.nullable(toolsetConfigs)),
  cache_control: z.exactOptional(z.nullable(cacheControl)),
  allowed_callers: z.exactOptional(z.array(z.literal('direct'))),
});

const { coordinate, start_coordinate, region, repeat, modifiers, scroll_amount, scroll_direction } =
  COMPUTER_INPUTS;
const key = text('A key or combination, such as Return, ctrl+s or alt+Tab');
const pointing = objectSchema({ coordinate, text: modifiers });

interface Member {
  readonly description: string;
  readonly input: CustomTool['input_schema'];
}

const timed: Readonly<Record<string, PropertySchema>> = { duration: duration(LONGEST_SECONDS) };

/** What each member does and takes. */
const MEMBERS: Readonly<Record<ComputerMember, Member>> = {
  key: {
    description: 'Presses a key or a combination of keys, `repeat` times.',
    input: objectSchema({ text: key, repeat }, ['text']),
  },
  hold_key: {
    description: 'Holds a key or a combination of keys down for `duration` seconds.',
    input: objectSchema({ text: key, ...timed }, ['text', 'duration']),
  },
  type: {
    description: 'Types a text where the keyboard focus is.',
    input: objectSchema({ text: text('The text to type') }, ['text']),
  },
  cursor_position: { description: 'Tells where the cursor is.', input: objectSchema({}) },
  mouse_move: { description: 'Moves the cursor.', input: objectSchema({ coordinate }, ['coordinate']) },
  left_mouse_down: {
    description: 'Presses the left button where the cursor is and holds it.',
    input: objectSchema({}),
  },
  left_mouse_up: { description: 'Lets the left button go.', input: objectSchema({}) },
  left_click: {
    description: 'Clicks the left button at `coordinate`, or where the cursor is.',
    input: pointing,
  },
  left_click_drag: {
    description: 'Presses the left button at `start_coordinate`, moves to `coordinate` and lets go.',
    input: objectSchema({ start_coordinate, coordinate, text: modifiers }, [
      'start_coordinate',
      'coordinate',
    ]),
  },
  right_click: {
    description: 'Clicks the right button at `coordinate`, or where the cursor is.',
    input: pointing,
  },
  middle_click: {
    description: 'Clicks the middle button at `coordinate`, or where the cursor is.',
    input: pointing,
  },
  double_click: {
    description: 'Double-clicks the left button at `coordinate`, or where the cursor is.',
    input: pointing,
  },
  triple_click: {
    description: 'Clicks the left button three times at `coordinate`, or where the cursor is.',
    input: pointing,
  },
  scroll: {
    description: 'Turns the wheel at `coordinate`, or where the cursor is.',
    input: objectSchema({ coordinate, scroll_direction, scroll_amount, text: modifiers }, [
      'scroll_direction',
      'scroll_amount',
    ]),
  },
  wait: { description: 'Waits for `duration` seconds.', input: objectSchema(timed, ['duration']) },
  screenshot: { description: 'Shows the whole screen.', input: objectSchema({}) },
  zoom: {
    description: 'Shows a part of the screen enlarged, to read what is small.',
    input: objectSchema({ region }, ['region']),
  },
};

function inputNames({ properties, required }: CustomTool['input_schema']): string {
  const names = Object.keys(properties ?? {});
  if (names.length === 0) return '';
  const said = names.map((name) => `\`${name}\`${required?.includes(name) === true ? '' : ' (optional)'}`);
  return ` Takes ${said.join(', ')}.`;
}

/** Each action is a tool of its own; coordinates are pixels of the screenshots that the client sends. */
export const computerToolset20260801: ProviderToolKind<ComputerToolset> = {
  type: 'computer_toolset_20260801',
  beta: null,
  schema,
  tokens: (tool, model) => toolsetDefinitionTokens(membersOf(tool), model),
  describe: (tool) =>
    [
      '- computer: the mouse, the keyboard and the screen, as these functions. Coordinates are pixels of the newest',
      '  whole screenshot, from its top left corner. Several calls in one reply are done in order; after one that fails',
      '  the others are left undone. End what you do with a screenshot to see what came of it.',
      ...membersOf(tool).map(
        (member) => `  - ${member}: ${MEMBERS[member].description}${inputNames(MEMBERS[member].input)}`,
      ),
    ].join('\n'),
  functions: (tool) =>
    membersOf(tool).map((member) => ({
      name: member,
      description: MEMBERS[member].description,
      input_schema: MEMBERS[member].input,
    })),
};
