#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { isMachine } from '../../core/durable-logic.ts';
import { definitionOf } from '../../core/workflow-definition.ts';
import type { MachineSource } from '../history/machine-source.ts';
import { checkHistories } from './check-histories.ts';
import { reportText } from './report-text.ts';

const USAGE = `usage: steadyhand-statechart check <module> <history files>

The module exports workflows made by machineWorkflow, under their types, or one machine.
The history files are JSON as the Temporal CLI or UI writes them.
Ends with 1 when an open run would break, with 2 when it cannot tell.
`;

/** Says what is wrong with the command line or a file. */
class CommandError extends Error {
  override readonly name = 'CommandError';
}

async function main([command, module, ...files]: readonly string[]): Promise<number> {
  if (command !== 'check' || module === undefined || files.length === 0) throw new CommandError(USAGE);
  const source = sourcesIn((await import(pathToFileURL(path.resolve(module)).href)) as object, module);
  const histories = await Promise.all(
    files.map(async (file) => ({ name: path.basename(file), history: await jsonOf(file) })),
  );
  const report = await checkHistories(histories, source);
  process.stdout.write(`${reportText(report)}\n`);
  return report.breaking === 0 ? 0 : 1;
}

/** The workflows of a module by their names; its machine when it has none. */
function sourcesIn(module: object, name: string): MachineSource | Readonly<Record<string, MachineSource>> {
  const exported = Object.entries(module) as readonly (readonly [string, unknown])[];
  const workflows = exported.filter(([, value]) => definitionOf(value) !== undefined);
  if (workflows.length > 0) return Object.fromEntries(workflows) as Record<string, MachineSource>;
  const machines = exported.map(([, value]) => value).filter((value) => isExportedMachine(value));
  const [machine] = machines;
  if (machine === undefined || machines.length > 1)
    throw new CommandError(`${name}: expected exports made by machineWorkflow, or one machine\n`);
  return machine as MachineSource;
}

const isExportedMachine = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && isMachine(value as never);

async function jsonOf(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown;
  } catch (error) {
    throw new CommandError(`${file}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(error instanceof Error ? `${error.message.trimEnd()}\n` : `${String(error)}\n`);
  process.exitCode = 2;
}
