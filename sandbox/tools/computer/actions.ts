import type { ToolDefinition } from '@steadyhand/contracts';
import type { Display } from '../../display/display.ts';
import {
  coordinateOnly,
  noArguments,
  textOnly,
  type ArgumentReader,
  type ComputerInput,
} from './arguments.ts';
import type { CoordinateSpace } from './coordinate-space.ts';
import type { ComputerBehaviour, ScreenWait } from './compat.ts';

/** What an action works with. */
export interface ActionContext {
  readonly display: Display;
  readonly definition: ToolDefinition;
  readonly space: CoordinateSpace;
  readonly behaviour: ComputerBehaviour;
  readonly signal: AbortSignal;
}

/** The result of an action besides the picture that follows it. */
interface ActionResult {
  readonly output?: string;
  /** The messages of xdotool. */
  readonly complaint?: string;
  /** The PNG bytes of an action that makes its own picture. */
  readonly image?: Uint8Array;
}

/** One action whose input has been read and that can be performed. */
interface PreparedAction {
  perform(context: ActionContext): Promise<ActionResult>;
  /** What to wait for before the picture that follows the action; null means no picture. */
  readonly wait: ScreenWait | null;
}

/** What is needed to read an action's input. */
type ReadingContext = Pick<ActionContext, 'space' | 'behaviour' | 'definition'>;

export type Action = (name: string, input: ComputerInput, context: ReadingContext) => PreparedAction;

/** Defines an action whose input is read first as a whole, so that bad input has no effect. */
export function action<T>(
  read: (name: string, input: ComputerInput, context: ReadingContext) => T,
  perform: (argument: T, context: ActionContext) => Promise<ActionResult | void>,
  waitOf: (behaviour: ComputerBehaviour) => ScreenWait | null = afterAction,
): Action {
  return (name, input, context) => {
    const argument = read(name, input, context);
    return {
      perform: async (at) => (await perform(argument, at)) ?? {},
      wait: waitOf(context.behaviour),
    };
  };
}

/** Returns a function that reads by `reader` in the context's space. */
export function readBy<T>(
  reader: ArgumentReader<T>,
): (name: string, input: ComputerInput, context: ReadingContext) => T {
  return (name, input, { space }) => reader(name, input, space);
}

function afterAction(behaviour: ComputerBehaviour): ScreenWait {
  return behaviour.waits.afterAction;
}

export const beforeScreenshot = (behaviour: ComputerBehaviour): ScreenWait =>
  behaviour.waits.beforeScreenshot;

export const key = action(readBy(textOnly), async (text, { display, behaviour, signal }) => ({
  complaint: await behaviour.input.key(display, text, signal),
}));

export const type = action(
  readBy(textOnly),
  async (text, { display, behaviour, signal }) => ({
    complaint: await behaviour.input.type(display, text, signal),
  }),
  (behaviour) => behaviour.waits.afterTyping,
);

export const mouseMove = action(readBy(coordinateOnly), (to, { display }) => display.mouse.move(to));

export const screenshot = action(readBy(noArguments), () => Promise.resolve(), beforeScreenshot);

/** Shows the position as `X=1,Y=2`; the toolset has a space after the comma. */
export function cursorPosition(separator: ',' | ', '): Action {
  return action(
    readBy(noArguments),
    async (_, { display, space }) => {
      const { x, y } = space.fromScreen(await display.mouse.position());
      return { output: `X=${x}${separator}Y=${y}` };
    },
    () => null,
  );
}
