import path from 'node:path';
import { BootstrapError, say, since } from './progress.mjs';
import { staleReason, writeStamp } from './stamps.mjs';
import { TARGETS } from './targets.mjs';

/** Files that every target depends on: how it is built, and which packages it is built with. */
const COMMON_INPUTS = ['package-lock.json', 'scripts/lib/targets.mjs'];

function stampOf(root, target) {
  return path.join(root, 'dist/.stamps', `${target.name.replaceAll(' ', '-')}.json`);
}

/** The targets whose inputs or outputs changed since they were last made. */
export function staleTargets(root) {
  return TARGETS.filter((target) => staleReason(stampOf(root, target), root) !== undefined);
}

/**
 * Makes what is stale (or, with `all`, everything), of the targets of these names when there are any. What can be made is
 * made; then the failures are told together.
 */
export async function build(root, { all = false, names } = {}) {
  const failures = [];
  const due = all ? TARGETS : staleTargets(root);
  for (const target of due.filter(({ name }) => names === undefined || names.includes(name))) {
    const start = performance.now();
    try {
      const inputs = await target.make(root);
      writeStamp(stampOf(root, target), root, [...inputs, ...COMMON_INPUTS], target.outputs);
      say(`built ${target.name} in ${since(start)}`);
    } catch (error) {
      if (!(error instanceof BootstrapError)) throw error;
      failures.push(`${target.name} could not be built:\n${error.message}`);
    }
  }
  if (failures.length > 0) throw new BootstrapError(failures.join('\n\n'));
}
