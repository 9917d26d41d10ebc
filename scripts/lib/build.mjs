import path from 'node:path';
import { manifests } from './packages.mjs';
import { BootstrapError, say, since } from './progress.mjs';
import { staleReason, writeStamp } from './stamps.mjs';
import { TARGETS } from './targets.mjs';

/** @typedef {import('./targets.mjs').Target} Target */

/**
 * Files that every target depends on: they say how it is built, with which packages, and where the doors of ours lead.
 * @param {string} root
 */
function commonInputs(root) {
  const doors = [...manifests(root).keys()].map((folder) => path.join(folder, 'package.json'));
  const scripts = ['packages', 'targets', 'temporal-plugin'].map((name) => `scripts/lib/${name}.mjs`);
  return ['package-lock.json', ...scripts, ...doors];
}

/** @type {(root: string, target: Target) => string} */
function stampOf(root, target) {
  return path.join(root, 'dist/.stamps', `${target.name.replaceAll(' ', '-')}.json`);
}

/**
 * The targets whose inputs or outputs changed since they were last made.
 * @param {string} root
 */
export function staleTargets(root) {
  return TARGETS.filter((target) => staleReason(stampOf(root, target), root) !== undefined);
}

/**
 * Makes the stale targets (with `all`, every target), or those of them that `names` lists. A failure does not keep the other
 * targets from being made; all failures are thrown together.
 * @param {string} root
 * @param {{ readonly all?: boolean, readonly names?: readonly string[] | undefined }} [options]
 */
export async function build(root, { all = false, names } = {}) {
  const failures = [];
  const due = all ? TARGETS : staleTargets(root);
  for (const target of due.filter(({ name }) => names === undefined || names.includes(name))) {
    const start = performance.now();
    try {
      const inputs = await target.make(root);
      const outputs = [...target.outputs, ...(inputs.made ?? [])];
      writeStamp(stampOf(root, target), root, [...inputs, ...commonInputs(root)], outputs);
      say(`built ${target.name} in ${since(start)}`);
    } catch (error) {
      if (!(error instanceof BootstrapError)) throw error;
      failures.push(`${target.name} could not be built:\n${error.message}`);
    }
  }
  if (failures.length > 0) throw new BootstrapError(failures.join('\n\n'));
}
