import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { bundling } from './bundling.ts';
import { ROOT } from './workflow-files.ts';

/** Where the programs that were bundled so far are, while all tests are run. */
const VARIABLE = 'STEADYHAND_TEST_PROGRAMS';
/** Where they are otherwise: this module is loaded anew for each test file. */
let own: string | undefined;

/** Lets the test files of a run share the programs that they bundle; they go with this process. */
export function shareBundledPrograms(): void {
  process.env[VARIABLE] = programFolder();
}

/**
 * Bundles a TypeScript program as an executable ES module for Node, as the products of the repository are; answers its path. In a
 * run of all tests each is bundled once, otherwise once for each test file.
 * @param entry relative to the repository
 */
export async function bundledProgram(entry: string): Promise<string> {
  const folder = process.env[VARIABLE] ?? (own ??= programFolder());
  const file = path.join(folder, `${entry.replaceAll(/\W/g, '-')}.mjs`);
  if (existsSync(file)) return file;
  const unfinished = path.join(mkdtempSync(path.join(folder, 'unfinished-')), 'program.mjs');
  await build({
    entryPoints: [path.join(ROOT, entry)],
    outfile: unfinished,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    ...bundling(),
  });
  chmodSync(unfinished, 0o755);
  renameSync(unfinished, file);
  return file;
}

/** A folder inside node_modules, so that the packages that the programs import are found. */
function programFolder(): string {
  const parent = path.join(ROOT, 'node_modules/.cache/test-programs');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(path.join(parent, `${process.pid}-`));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
