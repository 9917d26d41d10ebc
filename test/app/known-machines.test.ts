import fs from 'node:fs';
import path from 'node:path';
import { knownMachines, readMachines } from '../../app/known-machines.ts';
import { ConfigFileError } from '../../app/config/yaml-file.ts';
import { folderForEach } from '../support/temporary-folder.ts';

const folder = folderForEach();

function written(text: string): string {
  const file = path.join(folder(), 'workflows.cjs');
  fs.writeFileSync(file, text);
  return file;
}

it('knows the machine of sessions, and those of the user’s module', async () => {
  expect(Object.keys(await knownMachines({}))).toEqual(['session']);
  const file = written(`
    const made = async () => {};
    made[Symbol.for('@steadyhand/statechart/definition')] = { machine: {} };
    module.exports = { order: made, helper: () => 1, name: 'x' };
  `);
  const own = await readMachines(file);
  expect(Object.keys(await knownMachines(own))).toEqual(['session', 'order']);
  expect(await readMachines(undefined)).toEqual({});
});

it.each([
  ['module.exports = { helper: () => 1 };', 'expected exports made by machineWorkflow'],
  ['throw new Error("not now");', 'cannot be loaded: not now'],
])('refuses a module without them in one line: %s', async (text, message) => {
  const file = written(text);
  const refused = await readMachines(file).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ConfigFileError);
  expect((refused as Error).message).toBe(`${file}: ${message}`);
});
