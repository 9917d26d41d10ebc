import type { Display } from '../../display/display.ts';
import { DisplayError } from '../../display/errors.ts';
import { pause } from '../../display/settle.ts';
import type { Compat } from '../../protocol.ts';
import { pythonStr } from '../python-text.ts';
import { ToolError, type Tool, type ToolContext, type ToolOutput } from '../tool.ts';
import { GENERATIONS, type Action, type Desk } from './actions.ts';
import type { ComputerInput } from './arguments.ts';
import { COMPUTER_POLICIES, type Rest } from './policy.ts';

export interface ComputerToolOptions {
  readonly display: Display;
  readonly compat: Compat;
}

/**
 * The computer tool: mouse, keyboard and screenshots of one display. Its generation is the `type` of the definition that a
 * call comes with; screenshots and coordinates are in the size that the definition tells the model of. Bad input is
 * ToolError with the reference's text, before anything is done.
 */
export function createComputerTool({ display, compat }: ComputerToolOptions): Tool {
  const policy = COMPUTER_POLICIES[compat];
  return {
    run: async (input, context) => {
      const desk: Desk = {
        display,
        policy,
        space: policy.space(display.size, context.definition),
        signal: context.signal,
      };
      const fields = asFields(input);
      const prepared = findAction(fields, context)(String(fields['action']), fields, desk);
      const { output, complaint = '' } = await prepared.perform(desk);
      const image = prepared.rest === null ? undefined : await picture(desk, prepared.rest);
      return toOutput(output, policy.complaint(complaint), image);
    },
  };
}

function asFields(input: unknown): ComputerInput {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new ToolError('input must be an object with an action');
  return input as ComputerInput;
}

function findAction(fields: ComputerInput, { definition }: ToolContext): Action {
  const generation = GENERATIONS[definition.type];
  if (generation === undefined)
    throw new ToolError(`${definition.type} is not a computer tool that this sandbox has`);
  const { action } = fields;
  if (action == null) throw new ToolError('action is required');
  const found =
    typeof action === 'string' && Object.hasOwn(generation, action) ? generation[action] : undefined;
  if (found === undefined) throw new ToolError(`Invalid action: ${pythonStr(action)}`);
  return found;
}

async function picture({ display, space, signal }: Desk, rest: Rest): Promise<Uint8Array> {
  try {
    if ('fixedMs' in rest) await pause(rest.fixedMs, signal);
    else await display.settle(rest.settle, signal);
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
