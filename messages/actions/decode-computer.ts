import type { ComputerAction, Click, Decoded } from './action.ts';
import { chordsOf, fromToolset } from './chords.ts';
import { CLICKS, MOST_REPEATS, type ComputerActionName, type ComputerForm } from './computer-forms.ts';
import { Fields, InvalidInputError } from './fields.ts';

/** A use of the computer tool, told apart into the action and what goes with it, as all generations have it. */
export interface ComputerCall {
  /** The action that the input names; any text, since a model wrote it. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * The one field of a tool use's input when the model wrote arguments that are no JSON object: the whole text that it
 * wrote. The API's documentation names it for clients that report such arguments; a tool then answers with an error, and
 * the model sees what it did. Never a guess at what was meant, and nothing cut short is ever run.
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
 * The keys that are held meanwhile. The tools with an `action` take them as `text`; the first reference implementation read
 * `key`, so some clients have taught their models that.
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
 * What a use of a generation's computer tool means. Fields that the generation does not know are left aside, as its tools
 * leave them; fields that it knows and does not take with this action make the input invalid, as its tools answer.
 */
export function decodeComputer(form: ComputerForm, { name, input }: ComputerCall): Decoded<ComputerAction> {
  const action = form.actions.find((known) => known === name);
  if (action === undefined) return { invalid: `Invalid action: ${name}` };
  // Some actions need no fields, and half an input would pass for one of them.
  if (INVALID_JSON in input) return { invalid: 'the input is no JSON object' };
  try {
    return { action: read(action, new Fields(input, action), form) };
  } catch (error) {
    if (error instanceof InvalidInputError) return { invalid: error.message };
    throw error;
  }
}
