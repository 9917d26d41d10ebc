import type { temporal } from '@temporalio/proto';
import type { VersioningRecord } from '../mutable-state/record.ts';
import { PinnedOverrideBehavior, TaskQueueType, VersioningBehavior } from '../protocol/proto.ts';
import { failedPrecondition, invalidArgument } from '../protocol/rpc-error.ts';
import type { DeploymentRegistry } from './deployment-registry.ts';
import { readOverride } from './run-versioning.ts';

type Override = temporal.api.workflow.v1.IVersioningOverride;

/** Reads the version that a request gives a run, which workers of the run's queue must serve. */
export function validOverride(
  deployments: DeploymentRegistry,
  run: { readonly namespace: string; readonly taskQueue: string },
  given: Override | null | undefined,
): VersioningRecord['override'] {
  if (!given) return undefined;
  checkForm(given);
  const override = readOverride(given);
  const pinned = override?.pinned;
  const { namespace, taskQueue } = run;
  if (pinned && !deployments.serves(namespace, pinned, taskQueue, TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW)) {
    throw failedPrecondition(
      `Pinned version '${pinned.deployment}:${pinned.buildId}' is not present in task queue '${taskQueue}' of type 'Workflow'`,
    );
  }
  return override;
}

function checkForm({ pinned, autoUpgrade, behavior, pinnedVersion, deployment }: Override): void {
  if (pinned) {
    if (!pinned.version) throw invalidArgument('must provide version if override is pinned.');
    if (pinned.behavior !== PinnedOverrideBehavior.PINNED_OVERRIDE_BEHAVIOR_PINNED) {
      throw invalidArgument('must specify pinned override behavior if override is pinned.');
    }
    return;
  }
  if (autoUpgrade) return;
  const isNamed = Boolean(deployment ?? pinnedVersion);
  switch (behavior) {
    case VersioningBehavior.VERSIONING_BEHAVIOR_PINNED:
      if (isNamed) return;
      throw invalidArgument("must provide deployment (deprecated) or pinned version if behavior is 'PINNED'");
    case VersioningBehavior.VERSIONING_BEHAVIOR_AUTO_UPGRADE:
      if (!isNamed) return;
      throw invalidArgument("only provide pinned version if behavior is 'PINNED'");
    default:
      throw invalidArgument('override behavior is required');
  }
}
