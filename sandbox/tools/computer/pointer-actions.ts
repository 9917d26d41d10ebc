import { BUTTON, type Button, type Point } from '../../display/mouse.ts';
import { ToolError } from '../tool.ts';
import { action, readBy, type Action, type ActionContext } from './actions.ts';
import {
  coordinateOnly,
  modifiers,
  noArguments,
  optionalCoordinate,
  pointOf,
  scrollOf,
} from './arguments.ts';

/** Clicks where the pointer is, as in the first generation. */
export function clickHere(button: Button, count = 1): Action {
  return action(readBy(noArguments), (_, context) =>
    click(context, button, count, { at: undefined, held: '' }),
  );
}

/** Clicks at `coordinate` if there is one, with keys held. */
export function clickAt(button: Button, count = 1): Action {
  return action(
    (name, input, { space, behaviour }) => {
      const held = behaviour.heldKeys.click(name, input, space);
      return { held, at: optionalCoordinate(name, input, space) };
    },
    (target, context) => click(context, button, count, target),
  );
}

async function click(
  { display, definition, behaviour, signal }: ActionContext,
  button: Button,
  count: number,
  target: { readonly at: Point | undefined; readonly held: string },
): Promise<{ complaint: string }> {
  const gapMs = behaviour.clickGapMs(definition.type);
  return { complaint: await behaviour.input.click(display, { button, count, gapMs }, target, signal) };
}

/** Drags from where the pointer is, as in the first generation. */
export const dragHere = action(readBy(coordinateOnly), (to, { display }) => display.mouse.drag(to));

/** Drags from `start_coordinate`, or from where the pointer is. */
export const drag = action(
  (name, input, { space, behaviour }) => {
    const to = coordinateOnly(name, input, space);
    const { start_coordinate: start } = input;
    return { from: start == null || !behaviour.dragStart ? undefined : pointOf(start, space), to };
  },
  async ({ from, to }, { display }) => {
    if (from !== undefined) await display.mouse.move(from);
    await display.mouse.drag(to);
  },
);

/** The toolset's drag: its input names the start, and may name keys to hold. */
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
  async ({ from, to, held }, { display, behaviour, signal }) => ({
    complaint: await behaviour.input.drag(display, from, to, held, signal),
  }),
);

export const leftMouseDown = button(({ display }) => display.mouse.press(BUTTON.left));
export const leftMouseUp = button(({ display }) => display.mouse.release(BUTTON.left));

function button(perform: (context: ActionContext) => Promise<void>): Action {
  return action(
    (name, { coordinate }) => {
      if (coordinate != null) throw new ToolError(`coordinate is not accepted for action='${name}'.`);
    },
    (_, context) => perform(context),
  );
}

export const scroll = action(
  (name, input, { space, behaviour }) => {
    const wheel = scrollOf(name, input, space);
    const at = optionalCoordinate(name, input, space);
    return { wheel, target: { at, held: behaviour.heldKeys.scroll(name, input, space) } };
  },
  async ({ wheel, target }, { display, behaviour, signal }) => ({
    complaint: await behaviour.input.scroll(display, wheel, target, signal),
  }),
);
