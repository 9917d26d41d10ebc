import { z } from 'zod';
import type { BashTool } from '../api/api-types.ts';
import { sharedToolFields } from '../schema/fields/shared.ts';
import type { ProviderToolKind } from './provider-tool.ts';
import { bashDefinitionTokens } from './published-tokens.ts';
import { objectSchema, text, type ToolFunction } from './tool-function.ts';

/** The bash tool's entry in the generated prompt, which both generations share. */
function describeBash(name: string): string {
  return [
    `- ${name}: a shell that keeps its state from call to call. \`command\` is run as it is, without escaping;`,
    '  `restart: true` starts the shell afresh. Run what does not end by itself in the background, and avoid commands',
    '  with very large output.',
  ].join('\n');
}

/** The bash tool as a function. */
function bashFunction(name: string): ToolFunction {
  return {
    name,
    description:
      'Runs a command in a bash shell that keeps its folder, variables and jobs from call to call. Start what does not ' +
      'end by itself in the background.',
    input_schema: objectSchema({
      command: text('The command, as it is; needed unless the shell is restarted'),
      restart: { type: 'boolean', description: 'true starts the shell afresh' },
    }),
  };
}

function bash<T extends BashTool>(
  type: T['type'],
  beta: string | null,
  schema: z.ZodType<T>,
  tokens: (model: string) => number,
): ProviderToolKind<T> {
  return {
    type,
    beta,
    schema,
    tokens: (_tool, model) => tokens(model),
    describe: ({ name }) => describeBash(name),
    functions: ({ name }) => [bashFunction(name)],
  };
}

const fields = { name: z.literal('bash'), ...sharedToolFields };

export const bash20241022 = bash(
  'bash_20241022',
  'computer-use-2024-10-22',
  z.strictObject({ type: z.literal('bash_20241022'), ...fields }),
  () => 245,
);

/** The same shell as in 20241022. */
export const bash20250124 = bash(
  'bash_20250124',
  null,
  z.strictObject({ type: z.literal('bash_20250124'), ...fields }),
  bashDefinitionTokens,
);
