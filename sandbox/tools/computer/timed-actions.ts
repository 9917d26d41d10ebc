import { pause } from '../../display/settle.ts';
import { action, beforeScreenshot, type Action } from './actions.ts';
import { repeatOf, secondsOf, requiredText } from './arguments.ts';

/** Holds keys for `duration` seconds, at most `longest`. */
export function holdKey(longest: number): Action {
  return action(
    (name, input, { space }) => {
      const seconds = secondsOf(input, longest);
      return { seconds, text: requiredText(name, input, space) };
    },
    async ({ seconds, text }, { display, behaviour, signal }) => ({
      complaint: await behaviour.input.holdKey(display, text, seconds, signal),
    }),
  );
}

/** Waits for `duration` seconds, at most `longest`. */
export function wait(longest: number): Action {
  return action(
    (_, input) => secondsOf(input, longest),
    (seconds, { signal }) => pause(seconds * 1000, signal),
    beforeScreenshot,
  );
}

/** The toolset's key is pressed `repeat` times. */
export const repeatedKey = action(
  (name, input, { space }) => ({ text: requiredText(name, input, space), times: repeatOf(input) }),
  async ({ text, times }, { display, behaviour, signal }) => ({
    complaint: await behaviour.input.key(display, text, signal, times),
  }),
);
