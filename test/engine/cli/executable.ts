import { bundledProgram } from '../../support/bundled-program.ts';

/** Builds the executable `steadyhand-temporal` as it is packed; answers its path. */
export function buildExecutable(): Promise<string> {
  return bundledProgram('engine/cli/main.ts');
}
