import type { Display } from '../../display/display.ts';
import { BUTTON, type Button } from '../../display/mouse.ts';
import { ToolError } from '../tool.ts';
import { coordinateOnly, nothing, textOnly, type ArgumentReader, type ComputerInput } from './arguments.ts';
import type { CoordinateSpace } from './coordinate-space.ts';
import type { ComputerPolicy, Rest } from './policy.ts';

/** What an action has at hand. */
export interface Desk {
  readonly display: Display;
  readonly space: CoordinateSpace;
  readonly policy: ComputerPolicy;
  readonly signal: AbortSignal;
}

/** What an action leaves behind besides the picture that follows it. */
export interface ActionResult {
  readonly output?: string;
  /** What xdotool complained about. */
  readonly complaint?: string;
}

/** One action with its input already read: what is left is to do it. */
export interface PreparedAction {
  perform(desk: Desk): Promise<ActionResult>;
  /** What to wait for before the picture that is taken afterwards; null: no picture. */
  readonly rest: Rest | null;
}

export type Action = (
  name: string,
  input: ComputerInput,
  desk: Pick<Desk, 'space' | 'policy'>,
) => PreparedAction;

function action<T>(
  read: ArgumentReader<T>,
  perform: (argument: T, desk: Desk) => Promise<ActionResult | void>,
  rest: (policy: ComputerPolicy) => Rest | null,
): Action {
  return (name, input, { space, policy }) => {
    const argument = read(name, input, space);
    return {
      perform: async (desk) => (await perform(argument, desk)) ?? {},
      rest: rest(policy),
    };
  };
}

const afterAction = (policy: ComputerPolicy): Rest => policy.rest.afterAction;

function click(button: Button, count = 1): Action {
  return action(
    nothing,
    (_, { display, policy }) => display.mouse.click(button, count, policy.doubleClickGapMs),
    afterAction,
  );
}

const key = action(
  textOnly,
  async (text, { display, policy, signal }) => {
    const keys = policy.keys(text);
    if (policy.refuseNoKeys && keys.length === 0) throw new ToolError('text is required for key');
    return { complaint: await display.keyboard.press(keys, signal) };
  },
  afterAction,
);

const type = action(
  textOnly,
  async (text, { display, policy, signal }) => ({
    complaint: await display.keyboard.type(text, policy.typing, signal),
  }),
  (policy) => policy.rest.afterTyping,
);

const cursorPosition = action(
  nothing,
  async (_, { display, space }) => {
    const { x, y } = space.fromScreen(await display.mouse.position());
    return { output: `X=${x},Y=${y}` };
  },
  () => null,
);

const screenshot = action(
  nothing,
  () => Promise.resolve(),
  (policy) => policy.rest.beforeScreenshot,
);

/** The actions of each generation of the tool, by the `type` of its definition. */
export const GENERATIONS: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
  computer_20241022: {
    key,
    type,
    mouse_move: action(coordinateOnly, (to, { display }) => display.mouse.move(to), afterAction),
    left_click: click(BUTTON.left),
    left_click_drag: action(coordinateOnly, (to, { display }) => display.mouse.drag(to), afterAction),
    right_click: click(BUTTON.right),
    middle_click: click(BUTTON.middle),
    double_click: click(BUTTON.left, 2),
    screenshot,
    cursor_position: cursorPosition,
  },
};
