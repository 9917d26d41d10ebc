import type { ComputerAction } from '../actions/action.ts';
import { COMPUTER_FORMS, type ComputerActionName, type ComputerForm } from '../actions/computer-forms.ts';
import { decodeComputer, INVALID_JSON, type ComputerCall } from '../actions/decode-computer.ts';
import { encodeComputer, ALTERNATIVES } from '../actions/encode-computer.ts';
import { joinActions } from '../actions/join-actions.ts';
import type { ComputerTool, ComputerToolset } from '../api/api-types.ts';
import { isRecord } from '../api/is-record.ts';
import { COMPUTER_TOOLSET_NAME, isToolset, membersOf, toolFor, type NamedUse } from '../tools/tool-names.ts';
import type { ToolPair, Translated, Use } from './tool-pair.ts';

/** Splits a tool use of a generation into the action's name and its fields. */
function callOf(form: ComputerForm, { name, input }: Use): ComputerCall {
  // An input that is not an object must not pass for one without fields.
  if (!isRecord(input)) return { name: form.toolset ? name : '', input: { [INVALID_JSON]: input } };
  if (form.toolset) return { name, input };
  const { action, ...rest } = input;
  return { name: typeof action === 'string' ? action : '', input: rest };
}

function useOf(form: ComputerForm, { name, input }: ComputerCall): Use {
  if (form.toolset) return { name, input, toolset_name: COMPUTER_TOOLSET_NAME };
  // A member's input may hold a stray field `action`, which must not become the action.
  const { action: _, ...fields } = input;
  return { name: 'computer', input: { ...(name === '' ? {} : { action: name }), ...fields } };
}

/** The actions that a client can do: those of its generation, except what its definition switches off. */
export function offeredBy(tool: ComputerTool | ComputerToolset): readonly ComputerActionName[] {
  if (isToolset(tool)) return membersOf(tool);
  const { actions } = COMPUTER_FORMS[tool.type];
  const zooms = tool.type === 'computer_20251124' && tool.enable_zoom === true;
  return zooms ? actions : actions.filter((name) => name !== 'zoom');
}

/** An example of an action, in the form in which models of a generation usually ask for it. */
function exampleOf(name: ComputerActionName, form: ComputerForm): ComputerAction | undefined {
  const coordinate = form.clicksPoint ? { coordinate: [1, 1] } : {};
  const inputs: Partial<Record<ComputerActionName, ComputerCall['input']>> = {
    key: { text: 'a' },
    hold_key: { text: 'a', duration: 1 },
    type: { text: 'a' },
    mouse_move: { coordinate: [1, 1] },
    left_click_drag: {
      coordinate: [2, 2],
      ...(form.dragStart === 'never' ? {} : { start_coordinate: [1, 1] }),
    },
    scroll: { ...coordinate, scroll_direction: 'down', scroll_amount: 1 },
    wait: { duration: 1 },
    zoom: { region: [0, 0, 1, 1] },
  };
  const pointing = name.endsWith('_click') ? coordinate : {};
  return decodeComputer(form, { name, input: inputs[name] ?? pointing }).action;
}

/** The actions of the upstream's generation that the client cannot do. */
export function missingActions(
  upstream: ComputerForm,
  client: ComputerForm,
  offered: readonly ComputerActionName[],
): ComputerActionName[] {
  return upstream.actions.filter((name) => {
    const action = exampleOf(name, upstream);
    return action === undefined || encodeComputer(client, action, offered).refused !== undefined;
  });
}

export class ComputerPair implements ToolPair {
  readonly client: ComputerTool | ComputerToolset;
  readonly upstream: ComputerTool | ComputerToolset;
  readonly #clientForm: ComputerForm;
  readonly #upstreamForm: ComputerForm;
  readonly #offered: readonly ComputerActionName[];

  constructor(client: ComputerTool | ComputerToolset, upstream: ComputerTool | ComputerToolset) {
    this.client = client;
    this.upstream = upstream;
    this.#clientForm = COMPUTER_FORMS[client.type];
    this.#upstreamForm = COMPUTER_FORMS[upstream.type];
    this.#offered = offeredBy(client);
  }

  isClients(use: NamedUse): boolean {
    return isOf(this.client, use);
  }

  isRecorded(use: NamedUse): boolean {
    return this.isClients(use) || use.toolset_name === COMPUTER_TOOLSET_NAME || isSingle(use);
  }

  isUpstreams(use: NamedUse): boolean {
    return isOf(this.upstream, use);
  }

  toClient(use: Use): Translated {
    const call = callOf(this.#upstreamForm, use);
    const { action, invalid } = decodeComputer(this.#upstreamForm, call);
    if (action === undefined) return this.#invalid(use, call, invalid);
    const { inputs, refused } = encodeComputer(this.#clientForm, action, this.#offered);
    return inputs === undefined ? { refused } : { uses: inputs.map((each) => useOf(this.#clientForm, each)) };
  }

  /**
   * An input that is invalid upstream goes unchanged to the client's tool if that tool rejects it too, so that the
   * model learns from the tool's error. An input that the client's tool would accept is refused here.
   */
  #invalid({ input }: Use, call: ComputerCall, reason: string): Translated {
    const raw = useOf(this.#clientForm, call);
    if (isRecord(input) && INVALID_JSON in input && !(this.#clientForm.toolset && call.name === '')) {
      return { uses: [this.#clientForm.toolset ? raw : { ...raw, input }] };
    }
    const known = this.#offered.some((name) => name === call.name);
    if (!known || !isRecord(input)) return { refused: reason };
    const wrongThereToo = decodeComputer(this.#clientForm, call).invalid !== undefined;
    return wrongThereToo ? { uses: [raw] } : { refused: reason };
  }

  toUpstream(uses: readonly Use[]): readonly Use[] | undefined {
    const [first] = uses;
    if (first === undefined) return undefined;
    const actions = uses.map((use) => {
      const form = this.#recordedForm(use);
      return decodeComputer(form, callOf(form, use)).action;
    });
    const joined = actions.every((action) => action !== undefined) ? joinActions(actions) : undefined;
    if (joined === undefined) return uses.length === 1 ? [this.#asItIs(first)] : undefined;
    const inputs = encodeComputer(this.#upstreamForm, joined).inputs;
    if (inputs !== undefined) return inputs.map((each) => useOf(this.#upstreamForm, each));
    return uses.length === 1 ? [this.#asItIs(first)] : undefined;
  }

  /** The client may have used another generation when the conversation began. */
  #recordedForm(use: Use): ComputerForm {
    if (use.toolset_name === COMPUTER_TOOLSET_NAME) return COMPUTER_FORMS.computer_toolset_20260801;
    return this.#clientForm.toolset && isSingle(use) ? COMPUTER_FORMS.computer_20251124 : this.#clientForm;
  }

  #asItIs(use: Use): Use {
    const form = this.#recordedForm(use);
    if (!form.toolset && !this.#upstreamForm.toolset) return { name: 'computer', input: use.input };
    const call = callOf(form, use);
    const known = this.#upstreamForm.actions.some((name) => name === call.name);
    if (!this.#upstreamForm.toolset) return useOf(this.#upstreamForm, call);
    // A toolset use with an unknown member's name would make the request invalid; as a use of any tool it is harmless.
    return known ? useOf(this.#upstreamForm, call) : { name: 'computer', input: use.input };
  }

  note(): string | undefined {
    const missing = missingActions(this.#upstreamForm, this.#clientForm, this.#offered);
    const lines = [
      ...(missing.length === 0 || this.#upstreamForm.toolset
        ? []
        : [`These actions of the computer tool are not available: ${missing.join(', ')}.`]),
      ...missing.flatMap((name) => {
        const instead = ALTERNATIVES[name];
        return instead === undefined ? [] : [`Instead of ${name}, ${instead}.`];
      }),
      ...(this.#upstreamForm.modifiers.clicks && !this.#clientForm.modifiers.clicks
        ? ['Clicks and drags take no keys to hold meanwhile (`text`).']
        : this.#upstreamForm.modifiers.drag && !this.#clientForm.modifiers.drag
          ? ['left_click_drag takes no keys to hold meanwhile (`text`).']
          : []),
      ...(isToolset(this.client) ? ['Coordinates are pixels of the newest whole screenshot.'] : []),
    ];
    return lines.length === 0 ? undefined : lines.join(' ');
  }
}

/** Whether a use is of a generation whose actions are one tool. */
function isSingle({ name, toolset_name: toolset }: NamedUse): boolean {
  return name === 'computer' && toolset == null;
}

function isOf(tool: ComputerTool | ComputerToolset, use: NamedUse): boolean {
  if (isToolset(tool) && use.toolset_name === COMPUTER_TOOLSET_NAME) return true;
  return toolFor([tool], use) === tool;
}
