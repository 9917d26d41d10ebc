import type { ComputerAction, Click, Decoded } from './action.ts';
import { chordsOf, fromToolset } from './chords.ts';
import { CLICKS, MOST_REPEATS, type ComputerActionName, type ComputerForm } from './computer-forms.ts';
import { Fields, InvalidInputError } from './fields.ts';

/** A use of a computer tool of any generation, split into the action's name and its other fields. */
export interface ComputerCall {
  /** The action that the input names. It may be any text, since a model wrote it. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * The only field of a tool use's input when the model's arguments are not a JSON object; it holds the text that the
 * model wrote. The API's documentation gives this name to clients that report such arguments. A tool answers with an
 * error, so the model sees what it did; nobody guesses at what was meant, and an input that was cut short is never run.
 */
export const INVALID_JSON = 'INVALID_JSON';

const POINTING = ['coordinate', 'start_coordinate', 'region'];
const WHEEL = ['scroll_direction', 'scroll_amount'];
const OTHERS = [...POINTING, ...WHEEL, 'duration', 'repeat', 'text'];

function keys(fields: Fields, form: ComputerForm, name = 'text'): string[] {
  const chords = chordsOf(fields.text(name));
  if (chords.length === 0) throw new InvalidInputError(`${name} must name a key`);
  return form.repeat ? chords.map(fromToolset) : chords;
}

/**
 * Reads the keys that are held during an action. The tools with an `action` take them in `text`. The first reference
 * implementation read them from `key`, and some clients have taught their models so.
 */
function modifiers(fields: Fields, form: ComputerForm, allowed: boolean): { modifiers?: string } {
  if (!allowed) {
    fields.without('text', 'key');
    return {};
  }
  const name = fields.has('text') || form.toolset ? 'text' : 'key';
  if (name === 'text' && !form.toolset) fields.without('key');
  const text = fields.optionalText(name) ?? '';
  const [held, ...more] = text.trim() === '' ? [] : keys(fields, form, name);
  if (more.length > 0) throw new InvalidInputError(`${name} must be one combination of keys, joined by +`);
  return held === undefined ? {} : { modifiers: held };
}

function click(kind: Pick<Click, 'button' | 'count'>, fields: Fields, form: ComputerForm): Click {
  fields.without('start_coordinate');
  if (!form.clicksPoint) fields.without('coordinate');
  const at = fields.optionalPoint('coordinate');
  return {
    type: 'click',
    ...kind,
    ...(at === undefined ? {} : { at }),
    ...modifiers(fields, form, form.modifiers.clicks),
  };
}

function drag(fields: Fields, form: ComputerForm): ComputerAction {
  if (form.dragStart === 'never') fields.without('start_coordinate');
  const from =
    form.dragStart === 'required'
      ? fields.point('start_coordinate')
      : fields.optionalPoint('start_coordinate');
  return {
    type: 'drag',
    ...(from === undefined ? {} : { from }),
    to: fields.point('coordinate'),
    ...modifiers(fields, form, form.modifiers.drag),
  };
}

function scroll(fields: Fields, form: ComputerForm): ComputerAction {
  fields.without('start_coordinate');
  const at = fields.optionalPoint('coordinate');
  return {
    type: 'scroll',
    direction: fields.direction('scroll_direction'),
    amount: fields.whole('scroll_amount', 0),
    ...(at === undefined ? {} : { at }),
    ...modifiers(fields, form, form.modifiers.clicks),
  };
}

function key(fields: Fields, form: ComputerForm): ComputerAction {
  fields.without(...POINTING);
  if (!form.repeat) return { type: 'key', keys: keys(fields, form) };
  const times = fields.has('repeat') ? fields.whole('repeat', 1, MOST_REPEATS) : 1;
  const once = keys(fields, form);
  return { type: 'key', keys: Array.from({ length: times }, () => once).flat() };
}

function read(name: ComputerActionName, fields: Fields, form: ComputerForm): ComputerAction {
  switch (name) {
    case 'key':
      return key(fields, form);
    case 'hold_key':
      fields.without(...POINTING);
      return {
        type: 'hold_key',
        keys: keys(fields, form),
        seconds: fields.seconds('duration', form.longestSeconds),
      };
    case 'type':
      fields.without(...POINTING);
      return { type: 'type', text: fields.text('text') };
    case 'mouse_move':
      fields.without('text', 'start_coordinate');
      return { type: 'mouse_move', to: fields.point('coordinate') };
    case 'left_click_drag':
      return drag(fields, form);
    case 'scroll':
      return scroll(fields, form);
    case 'wait':
      fields.without(...POINTING, 'text');
      return { type: 'wait', seconds: fields.seconds('duration', form.longestSeconds) };
    case 'zoom':
      fields.without('coordinate', 'start_coordinate', 'text');
      return { type: 'zoom', region: fields.region('region') };
    case 'left_mouse_down':
      fields.without(...OTHERS);
      return { type: 'mouse_down' };
    case 'left_mouse_up':
      fields.without(...OTHERS);
      return { type: 'mouse_up' };
    case 'cursor_position':
    case 'screenshot':
      fields.without('coordinate', 'text');
      return { type: name };
    default:
      return click(CLICKS[name], fields, form);
  }
}

/**
 * Reads a use of a generation's computer tool. Like the reference tools, it ignores fields that the generation does not
 * know, and calls an input invalid that holds a known field which this action does not take.
 */
export function decodeComputer(form: ComputerForm, { name, input }: ComputerCall): Decoded<ComputerAction> {
  const action = form.actions.find((known) => known === name);
  if (action === undefined) return { invalid: `Invalid action: ${name}` };
  // Some actions need no fields, and a broken input would pass for one of them.
  if (INVALID_JSON in input) return { invalid: 'the input is no JSON object' };
  try {
    return { action: read(action, new Fields(input, action), form) };
  } catch (error) {
    if (error instanceof InvalidInputError) return { invalid: error.message };
    throw error;
  }
}
