import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { WorkerDeploymentOptions } from '@temporalio/worker';

/**
 * What makes a worker one version of a deployment; undefined without a name for it. Sessions wait for weeks, so that none is
 * kept on the version that it began with: at its next task each moves on to the current one, whose machine has to know its state.
 */
export async function workerVersion(
  { name, buildId }: { readonly name: string | undefined; readonly buildId: string | undefined },
  bundlePath: string,
  productVersion: string,
): Promise<WorkerDeploymentOptions | undefined> {
  if (name === undefined) return undefined;
  const version = {
    deploymentName: name,
    buildId: buildId ?? (await defaultBuildId(bundlePath, productVersion)),
  };
  return { version, useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' };
}

async function defaultBuildId(bundlePath: string, productVersion: string): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(bundlePath))
    .digest('hex');
  return `${productVersion}-${digest.slice(0, 12)}`;
}
