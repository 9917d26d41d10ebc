import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowBundle } from '@temporalio/worker';
import { transform } from 'esbuild';
import { bundled } from './bundled.ts';
import { shareBundledPrograms } from './bundled-program.ts';
import { ROOT, WORKFLOW_FILES } from './workflow-files.ts';

/** Where the bundle of all workflows is, while all tests are run. */
const VARIABLE = 'STEADYHAND_TEST_WORKFLOWS';
const FOLDER = path.join(ROOT, '.tmp/workflow-bundles');
/** Stands in the bundle for the name of the file whose workflows a worker takes from it. */
const CHOICE = '@steadyhand/chosen-workflows';

/**
 * Before all tests are run, lets them share the programs that they bundle, and makes one bundle of all their workflows: webpack
 * takes as long for it as for two of the twenty that there were otherwise. For some tests alone there is none. Jest takes the
 * default export.
 */
// eslint-disable-next-line import/no-default-export
export default async function setup({
  nonFlagArgs,
}: {
  readonly nonFlagArgs: readonly string[];
}): Promise<void> {
  if (nonFlagArgs.length > 0) return;
  shareBundledPrograms();
  mkdirSync(FOLDER, { recursive: true });
  const entry = path.join(FOLDER, 'all.cjs');
  const modules = WORKFLOW_FILES.map(
    (file) => `${JSON.stringify(file)}: () => require(${JSON.stringify(path.join(ROOT, file))}),`,
  );
  writeFileSync(entry, `module.exports = {\n${modules.join('\n')}\n}[${JSON.stringify(CHOICE)}]();\n`);
  const { code } = await bundled(entry);
  const file = path.join(FOLDER, 'all.js');
  writeFileSync(file, await shortened(code));
  process.env[VARIABLE] = file;
}

/**
 * The same program in half as many characters, as each of hundreds of workers reads it twice: without comments, and with a source map
 * that says of each line the same, as Temporal's worker wants one.
 */
async function shortened(code: string): Promise<string> {
  const program = code.slice(0, code.lastIndexOf('//# sourceMappingURL='));
  const { code: short } = await transform(program, { minifyWhitespace: true, legalComments: 'none' });
  const mappings = short.split('\n').fill('AAAA').join(';');
  const map = JSON.stringify({ version: 3, file: 'all.js', sources: ['all.cjs'], names: [], mappings });
  return `${short}//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
}

/** One file's part of the bundle of all; undefined where there is none. */
export function fromAllWorkflows(workflowsPath: string): WorkflowBundle | undefined {
  const file = process.env[VARIABLE];
  if (file === undefined) return undefined;
  const name = path.relative(ROOT, workflowsPath);
  if (!(WORKFLOW_FILES as readonly string[]).includes(name))
    throw new Error(`${name} is missing in test/support/workflow-files.ts`);
  const parts = readFileSync(file, 'utf8').split(JSON.stringify(CHOICE));
  if (parts.length !== 2) throw new Error(`${file} should say ${CHOICE} once`);
  return { code: parts.join(JSON.stringify(name)) };
}
