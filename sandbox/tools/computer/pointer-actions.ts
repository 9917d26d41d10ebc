import { BUTTON, type Button, type Point } from '../../display/mouse.ts';
import { ToolError } from '../tool.ts';
import { action, by, type Action, type Desk } from './actions.ts';
import { coordinateOnly, modifiers, nothing, place, pointOf, scrolling } from './arguments.ts';

/** A click where the pointer is: the first generation's. */
export function clickHere(button: Button, count = 1): Action {
  return action(by(nothing), (_, desk) => click(desk, button, count, { at: undefined, held: '' }));
}

/** A click at `coordinate` if there is one, with keys held. */
export function clickAt(button: Button, count = 1): Action {
  return action(
    (name, input, { space, policy }) => {
      const held = policy.heldKeys.click(name, input, space);
      return { held, at: place(name, input, space) };
    },
    (pointing, desk) => click(desk, button, count, pointing),
  );
}

async function click(
  { display, definition, policy, signal }: Desk,
  button: Button,
  count: number,
  pointing: { readonly at: Point | undefined; readonly held: string },
): Promise<{ complaint: string }> {
  const gapMs = policy.clickGapMs(definition.type);
  return { complaint: await policy.hands.click(display, { button, count, gapMs }, pointing, signal) };
}

/** From where the pointer is: the first generation's drag. */
export const dragHere = action(by(coordinateOnly), (to, { display }) => display.mouse.drag(to));

/** From `start_coordinate`, or where the pointer is. */
export const drag = action(
  (name, input, { space, policy }) => {
    const to = coordinateOnly(name, input, space);
    const { start_coordinate: start } = input;
    return { from: start == null || !policy.dragStart ? undefined : pointOf(start, space), to };
  },
  async ({ from, to }, { display }) => {
    if (from !== undefined) await display.mouse.move(from);
    await display.mouse.drag(to);
  },
);

/** The toolset's drag: it says where it begins, and may hold keys. */
export const toolsetDrag = action(
  (name, input, { space }) => {
    const { start_coordinate: start, coordinate } = input;
    if (start == null) throw new ToolError(`start_coordinate is required for ${name}`);
    if (coordinate == null) throw new ToolError(`coordinate is required for ${name}`);
    return {
      from: pointOf(start, space),
      to: pointOf(coordinate, space),
      held: modifiers(name, input, space),
    };
  },
  async ({ from, to, held }, { display, policy, signal }) => ({
    complaint: await policy.hands.drag(display, from, to, held, signal),
  }),
);

export const leftMouseDown = button(({ display }) => display.mouse.press(BUTTON.left));
export const leftMouseUp = button(({ display }) => display.mouse.release(BUTTON.left));

function button(perform: (desk: Desk) => Promise<void>): Action {
  return action(
    (name, { coordinate }) => {
      if (coordinate != null) throw new ToolError(`coordinate is not accepted for action='${name}'.`);
    },
    (_, desk) => perform(desk),
  );
}

export const scroll = action(
  (name, input, { space, policy }) => {
    const turn = scrolling(name, input, space);
    const at = place(name, input, space);
    return { turn, pointing: { at, held: policy.heldKeys.scroll(name, input, space) } };
  },
  async ({ turn, pointing }, { display, policy, signal }) => ({
    complaint: await policy.hands.scroll(display, turn, pointing, signal),
  }),
);
