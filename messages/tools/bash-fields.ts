import { objectSchema, text, type ToolFunction } from './tool-function.ts';

/** The bash tool's entry in the generated prompt, which both generations share. */
export function describeBash(name: string): string {
  return [
    `- ${name}: a shell that keeps its state from call to call. \`command\` is run as it is, without escaping;`,
    '  `restart: true` starts the shell afresh. Run what does not end by itself in the background, and avoid commands',
    '  with very large output.',
  ].join('\n');
}

/** The bash tool as a function. */
export function bashFunction(name: string): ToolFunction {
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
