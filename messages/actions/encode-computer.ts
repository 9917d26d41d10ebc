import type { ComputerAction, Click, Drag, Encoded } from './action.ts';
import { toToolset } from './chords.ts';
import { CLICKS, MOST_REPEATS, type ComputerActionName, type ComputerForm } from './computer-forms.ts';
import type { ComputerCall } from './decode-computer.ts';

type Input = ComputerCall['input'];

class UnsupportedActionError extends Error {
  override readonly name = 'UnsupportedActionError';
}

/** What a model can do instead of an action that is not available. */
export const ALTERNATIVES: Readonly<Partial<Record<ComputerActionName, string>>> = {
  scroll: 'press Page_Down, Page_Up or the arrow keys',
  zoom: 'take a screenshot',
  wait: 'take a screenshot, which takes a moment too',
  hold_key: 'press the key with key',
  triple_click: 'double-click, or press Home and then shift+End to select a line',
  left_mouse_down: 'use left_click_drag',
  left_mouse_up: 'use left_click_drag',
};

function call(name: ComputerActionName, input: Input = {}): ComputerCall {
  return { name, input };
}

function actionOf(wanted: Pick<Click, 'button' | 'count'>): ComputerActionName {
  const found = Object.entries(CLICKS).find(
    ([, { button, count }]) => button === wanted.button && count === wanted.count,
  );
  if (found === undefined)
    throw new UnsupportedActionError(
      `there is no click of the ${wanted.button} button ${wanted.count} times`,
    );
  return found[0] as ComputerActionName;
}

function held(
  modifiers: string | undefined,
  form: ComputerForm,
  where: 'clicks' | 'drag',
): { text?: string } {
  if (modifiers === undefined) return {};
  if (!form.modifiers[where]) {
    const what = where === 'drag' ? 'left_click_drag' : 'a click';
    throw new UnsupportedActionError(
      `keys cannot be held during ${what} here ("${modifiers}"); do it without`,
    );
  }
  return { text: form.repeat ? toToolset(modifiers) : modifiers };
}

function click(action: Click, form: ComputerForm): ComputerCall[] {
  const { at, modifiers } = action;
  const name = actionOf(action);
  const text = held(modifiers, form, 'clicks');
  if (at === undefined) return [call(name, text)];
  if (form.clicksPoint) return [call(name, { coordinate: at, ...text })];
  return [call('mouse_move', { coordinate: at }), call(name, text)];
}

function drag({ from, to, modifiers }: Drag, form: ComputerForm): ComputerCall[] {
  const text = held(modifiers, form, 'drag');
  if (form.dragStart === 'never') {
    const rest = call('left_click_drag', { coordinate: to, ...text });
    return from === undefined ? [rest] : [call('mouse_move', { coordinate: from }), rest];
  }
  if (from !== undefined)
    return [call('left_click_drag', { start_coordinate: from, coordinate: to, ...text })];
  // The models of these generations always give a start point, and many clients require it.
  if (modifiers !== undefined) {
    throw new UnsupportedActionError('left_click_drag needs start_coordinate to hold keys meanwhile');
  }
  return [call('left_mouse_down'), call('mouse_move', { coordinate: to }), call('left_mouse_up')];
}

/** Groups equal neighbours into runs that are no longer than the largest `repeat`. */
function runs(keys: readonly string[]): { chord: string; times: number }[] {
  const found: { chord: string; times: number }[] = [];
  for (const chord of keys) {
    const last = found.at(-1);
    if (last?.chord === chord && last.times < MOST_REPEATS) last.times += 1;
    else found.push({ chord, times: 1 });
  }
  return found;
}

function key(keys: readonly string[], form: ComputerForm): ComputerCall[] {
  if (!form.repeat) return [call('key', { text: keys.join(' ') })];
  return runs(keys.map(toToolset)).map(({ chord, times }) =>
    call('key', { text: chord, ...(times === 1 ? {} : { repeat: times }) }),
  );
}

function holdKey(keys: readonly string[], seconds: number, form: ComputerForm): ComputerCall[] {
  if (seconds > form.longestSeconds) {
    throw new UnsupportedActionError(
      `hold_key lasts at most ${form.longestSeconds} seconds here, not ${seconds}`,
    );
  }
  if (form.repeat && keys.length > 1) {
    throw new UnsupportedActionError(
      `hold_key holds one combination here, not ${keys.length}; join the keys by +`,
    );
  }
  const text = form.repeat ? keys.map(toToolset).join(' ') : keys.join(' ');
  return [call('hold_key', { text, duration: seconds })];
}

/** A wait that is too long for one action becomes several. */
function wait(seconds: number, form: ComputerForm): ComputerCall[] {
  const longest = form.longestSeconds;
  const whole = Math.max(0, Math.ceil(seconds / longest) - 1);
  return [...Array.from({ length: whole }, () => longest), seconds - whole * longest].map((duration) =>
    call('wait', { duration }),
  );
}

/** The name of the action in the tools; where it becomes several, the name of the main one. */
function nameOf(action: ComputerAction): ComputerActionName {
  switch (action.type) {
    case 'mouse_down':
      return 'left_mouse_down';
    case 'mouse_up':
      return 'left_mouse_up';
    case 'click':
      return actionOf(action);
    case 'drag':
      return 'left_click_drag';
    default:
      return action.type;
  }
}

function write(action: ComputerAction, form: ComputerForm): ComputerCall[] {
  switch (action.type) {
    case 'key':
      return key(action.keys, form);
    case 'hold_key':
      return holdKey(action.keys, action.seconds, form);
    case 'type':
      return [call('type', { text: action.text })];
    case 'mouse_move':
      return [call('mouse_move', { coordinate: action.to })];
    case 'click':
      return click(action, form);
    case 'drag':
      return drag(action, form);
    case 'scroll': {
      const { at, direction, amount, modifiers } = action;
      const where = at === undefined ? {} : { coordinate: at };
      const text = held(modifiers, form, 'clicks');
      return [call('scroll', { ...where, scroll_direction: direction, scroll_amount: amount, ...text })];
    }
    case 'wait':
      return wait(action.seconds, form);
    case 'zoom':
      return [call('zoom', { region: action.region })];
    default:
      return [call(nameOf(action))];
  }
}

function missing(name: ComputerActionName): string {
  const instead = ALTERNATIVES[name];
  return `there is no action ${name} here${instead === undefined ? '' : `; ${instead} instead`}`;
}

/**
 * Writes an action as inputs of a generation, in order. There are several where the generation has no single one for
 * it.
 *
 * @param offered the actions that may be used; default: all of the generation
 */
export function encodeComputer(
  form: ComputerForm,
  action: ComputerAction,
  offered: readonly ComputerActionName[] = form.actions,
): Encoded<ComputerCall> {
  try {
    const name = nameOf(action);
    if (!form.actions.includes(name)) throw new UnsupportedActionError(missing(name));
    const inputs = write(action, form);
    const absent = inputs.find((input) => !offered.some((known) => known === input.name));
    if (absent !== undefined) {
      const own = absent.name as ComputerActionName;
      throw new UnsupportedActionError(
        own === name ? missing(name) : `${name} needs ${own}, which is not there`,
      );
    }
    return { inputs };
  } catch (error) {
    if (error instanceof UnsupportedActionError) return { refused: error.message };
    throw error;
  }
}
