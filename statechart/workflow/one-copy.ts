import { CancellationScope } from '@temporalio/workflow';

/**
 * Refuses to run beside a second copy of Temporal's workflow package, where the classes of one do not know the objects of the
 * other. It fails the workflow's task and not the workflow, which goes on once the installation is mended.
 *
 * @throws Error that says how it comes and what to do.
 */
export function requireOneCopy(): void {
  if (CancellationScope.current() instanceof CancellationScope) return;
  throw new Error(
    'Two copies of @temporalio/workflow are bundled, that of your project and another beside @steadyhand/statechart. ' +
      'This comes of a linked folder (npm install file:..., npm link). Install the packed package: ' +
      'npm install steadyhand-statechart-<version>.tgz',
  );
}
