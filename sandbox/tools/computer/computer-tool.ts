import type { Compat, ToolDefinition } from '@steadyhand/contracts';
import type { Display } from '../../display/display.ts';
import { DisplayError } from '../../display/errors.ts';
import { pause } from '../../display/settle.ts';
import { pythonStr } from '../python-text.ts';
import { ToolError, type Tool, type ToolOutput } from '../tool.ts';
import type { Action, ActionContext } from './actions.ts';
import type { ComputerInput } from './arguments.ts';
import { EXTENSIONS, GENERATIONS } from './generations.ts';
import { behaviourFor, type ComputerBehaviour, type ScreenWait } from './compat.ts';

interface ComputerToolOptions {
  readonly display: Display;
  readonly compat: Compat;
}

/**
 * The computer tool: mouse, keyboard and screenshots of one display. Its generation is the `type` of the definition
 * that comes with a call. Screenshots and coordinates have the size that the definition declares to the model. Bad
 * input is a ToolError with the reference's text, before anything is done.
 */
export function createComputerTool({ display, compat }: ComputerToolOptions): Tool {
  return {
    run: async (input, { definition, signal }) => {
      const behaviour = behaviourFor(compat, definition.type);
      const space = behaviour.space(display.size, definition);
      const context: ActionContext = { display, definition, behaviour, space, signal };
      const fields = asFields(input, definition);
      const { name, action } = findAction(fields, context);
      const prepared = action(name, fields, context);
      const { output, complaint = '', image } = await prepared.perform(context);
      const shown = image ?? (prepared.wait === null ? undefined : await picture(context, prepared.wait));
      return toOutput(output, complaint, shown);
    },
  };
}

function asFields(input: unknown, { type }: ToolDefinition): ComputerInput {
  if (input == null && isToolset(type)) return {};
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new ToolError(`input must be an object${isToolset(type) ? '' : ' with an action'}`);
  return input as ComputerInput;
}

/** The action is a field of the input, or for a toolset the tool's name. */
function findAction(
  fields: ComputerInput,
  { definition, behaviour }: { readonly definition: ToolDefinition; readonly behaviour: ComputerBehaviour },
): { readonly name: string; readonly action: Action } {
  const generation = GENERATIONS[definition.type];
  if (generation === undefined)
    throw new ToolError(`${definition.type} is not a computer tool that this sandbox has`);
  const name = isToolset(definition.type) ? definition.name : fields['action'];
  if (name == null) throw new ToolError('action is required');
  const known = behaviour.extensions ? { ...generation, ...EXTENSIONS } : generation;
  const action = typeof name === 'string' && Object.hasOwn(known, name) ? known[name] : undefined;
  if (action === undefined) throw new ToolError(`Invalid action: ${pythonStr(name)}`);
  return { name: pythonStr(name), action };
}

function isToolset(type: string): boolean {
  return type.startsWith('computer_toolset_');
}

async function picture({ display, space, signal }: ActionContext, wait: ScreenWait): Promise<Uint8Array> {
  try {
    if ('fixedMs' in wait) await pause(wait.fixedMs, signal);
    else await display.settle(wait.settle, signal);
    return await display.capture({ scaleTo: space.size });
  } catch (error) {
    if (!(error instanceof DisplayError)) throw error;
    throw new ToolError(`Failed to take screenshot: ${error.message}`, { cause: error });
  }
}

function toOutput(output: string | undefined, error: string, image: Uint8Array | undefined): ToolOutput {
  return {
    ...(output === undefined ? {} : { output }),
    ...(error === '' ? {} : { error }),
    ...(image === undefined ? {} : { image }),
  };
}
