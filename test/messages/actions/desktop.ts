import type { ComputerAction } from '../../../messages/actions/action.ts';

/**
 * What a computer sees of actions: the events that reach it, one by one. Two sequences of actions are the same when a computer
 * cannot tell them apart, wherever its cursor was before.
 */
export function eventsOf(actions: readonly ComputerAction[]): string[] {
  return simplified(actions.flatMap(events));
}

const move = (to: readonly [number, number] | undefined): string[] =>
  to === undefined ? [] : [`move ${to.join()}`];

function holding(modifiers: string | undefined, inner: readonly string[]): string[] {
  return modifiers === undefined ? [...inner] : [`hold ${modifiers}`, ...inner, `let go ${modifiers}`];
}

/** On X11 a capital letter is shift and the letter. */
function chord(text: string): string {
  const names = text.split('+');
  const last = names.at(-1) ?? '';
  const small = /^[A-Z]$/.test(last) ? ['shift', last.toLowerCase()] : [last];
  return [...new Set([...names.slice(0, -1), ...small])].join('+');
}

function events(action: ComputerAction): string[] {
  switch (action.type) {
    case 'key':
      return action.keys.map((key) => `press ${chord(key)}`);
    case 'hold_key':
      return [`hold ${action.keys.map(chord).join(' ')} for ${action.seconds}`];
    case 'type':
      return [`type ${JSON.stringify(action.text)}`];
    case 'mouse_move':
      return move(action.to);
    case 'mouse_down':
      return ['left down'];
    case 'mouse_up':
      return ['left up'];
    case 'click':
      return [...move(action.at), ...holding(action.modifiers, [`click ${action.button} ${action.count}`])];
    case 'drag':
      return [
        ...move(action.from),
        ...holding(action.modifiers, ['left down', ...move(action.to), 'left up']),
      ];
    case 'scroll':
      return [
        ...move(action.at),
        ...holding(action.modifiers, [`wheel ${action.direction} ${action.amount}`]),
      ];
    case 'wait':
      return [`wait ${action.seconds}`];
    case 'zoom':
      return [`look at ${action.region.join()}`];
    default:
      return [action.type];
  }
}

/** Waits that follow each other are one. */
function simplified(all: readonly string[]): string[] {
  const found: string[] = [];
  for (const event of all) {
    const last = found.at(-1);
    if (event.startsWith('wait ') && last?.startsWith('wait ') === true) {
      found[found.length - 1] = `wait ${Number(last.slice(5)) + Number(event.slice(5))}`;
    } else found.push(event);
  }
  return found;
}
