import type { ToolDefinition } from '@steadyhand/contracts';
import type { Display } from '../../display/display.ts';
import { coordinateOnly, nothing, textOnly, type ArgumentReader, type ComputerInput } from './arguments.ts';
import type { CoordinateSpace } from './coordinate-space.ts';
import type { ComputerPolicy, Rest } from './compat.ts';

/** What an action has at hand. */
export interface Desk {
  readonly display: Display;
  readonly definition: ToolDefinition;
  readonly space: CoordinateSpace;
  readonly policy: ComputerPolicy;
  readonly signal: AbortSignal;
}

/** What an action leaves behind besides the picture that follows it. */
export interface ActionResult {
  readonly output?: string;
  /** What xdotool complained about. */
  readonly complaint?: string;
  /** PNG bytes, of an action that makes its own picture. */
  readonly image?: Uint8Array;
}

/** One action with its input already read: what is left is to do it. */
export interface PreparedAction {
  perform(desk: Desk): Promise<ActionResult>;
  /** What to wait for before the picture that is taken afterwards; null: no picture. */
  readonly rest: Rest | null;
}

/** What an action's input is read with. */
export type ReadingDesk = Pick<Desk, 'space' | 'policy' | 'definition'>;

export type Action = (name: string, input: ComputerInput, desk: ReadingDesk) => PreparedAction;

/** An action whose input is read first, whole, so that bad input does nothing. */
export function action<T>(
  read: (name: string, input: ComputerInput, desk: ReadingDesk) => T,
  perform: (argument: T, desk: Desk) => Promise<ActionResult | void>,
  rest: (policy: ComputerPolicy) => Rest | null = afterAction,
): Action {
  return (name, input, desk) => {
    const argument = read(name, input, desk);
    return {
      perform: async (at) => (await perform(argument, at)) ?? {},
      rest: rest(desk.policy),
    };
  };
}

/** Reads by `reader` in the desk's space. */
export function by<T>(
  reader: ArgumentReader<T>,
): (name: string, input: ComputerInput, desk: ReadingDesk) => T {
  return (name, input, { space }) => reader(name, input, space);
}

export function afterAction(policy: ComputerPolicy): Rest {
  return policy.rest.afterAction;
}

export const beforeScreenshot = (policy: ComputerPolicy): Rest => policy.rest.beforeScreenshot;

export const key = action(by(textOnly), async (text, { display, policy, signal }) => ({
  complaint: await policy.hands.key(display, text, signal),
}));

export const type = action(
  by(textOnly),
  async (text, { display, policy, signal }) => ({
    complaint: await policy.hands.type(display, text, signal),
  }),
  (policy) => policy.rest.afterTyping,
);

export const mouseMove = action(by(coordinateOnly), (to, { display }) => display.mouse.move(to));

export const screenshot = action(by(nothing), () => Promise.resolve(), beforeScreenshot);

/** `X=1,Y=2`; the toolset's has a blank behind the comma. */
export function cursorPosition(separator: ',' | ', '): Action {
  return action(
    by(nothing),
    async (_, { display, space }) => {
      const { x, y } = space.fromScreen(await display.mouse.position());
      return { output: `X=${x}${separator}Y=${y}` };
    },
    () => null,
  );
}
