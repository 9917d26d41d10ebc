import { pathToFileURL } from 'node:url';
import { definitionOf, type MachineSource } from '@steadyhand/statechart/client';
import { ConfigFileError } from './config/yaml-file.ts';

type Machines = Readonly<Record<string, MachineSource>>;

/** The workflows whose state machines are known, by their types: the sessions' and the user's. */
export async function knownMachines(own: Machines): Promise<Machines> {
  // Loaded when somebody first looks at workflows.
  const { session } = await import('@steadyhand/workflows');
  return { session, ...own };
}

/**
 * The workflows that a module of the user exports.
 *
 * @throws {ConfigFileError} in one line where it cannot be loaded or has none
 */
export async function readMachines(file: string | undefined): Promise<Machines> {
  if (file === undefined) return {};
  let module: object;
  try {
    module = (await import(pathToFileURL(file).href)) as object;
  } catch (error) {
    throw new ConfigFileError(file, '', `cannot be loaded: ${(error as Error).message}`);
  }
  const workflows = Object.entries(module).filter(([, value]) => definitionOf(value) !== undefined);
  if (workflows.length === 0) throw new ConfigFileError(file, '', 'expected exports made by machineWorkflow');
  return Object.fromEntries(workflows) as Machines;
}
