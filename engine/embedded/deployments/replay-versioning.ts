import type { HistoryEvent } from '../history/events.ts';
import type { RunRecord } from '../mutable-state/record.ts';
import { initialVersioning, readOverride } from './run-versioning.ts';
import { toNumber } from '../protocol/values.ts';
import { isSameVersion, versionOf } from './version.ts';

/** Changes what a run's record says of its versioning as the event did. A history tells revisions of routings in its first event alone. */
export function replayVersioning(record: RunRecord, event: HistoryEvent): void {
  const started = event.workflowExecutionStartedEventAttributes;
  if (started) {
    const { inheritedPinnedVersion, inheritedAutoUpgradeInfo: upgrade } = started;
    const pinned = versionOf(inheritedPinnedVersion);
    const version = versionOf(upgrade?.sourceDeploymentVersion);
    const initial = upgrade?.continueAsNewInitialVersioningBehavior;
    const versioning = initialVersioning(readOverride(started.versioningOverride), {
      ...(pinned && { pinned }),
      ...(version && {
        upgradesFrom: { version, revision: toNumber(upgrade?.sourceDeploymentRevisionNumber) },
      }),
      ...(initial && { initial }),
    });
    if (versioning) record.versioning = versioning;
  }
  const completed = event.workflowTaskCompletedEventAttributes;
  if (completed) replayWorker(record, completed);
  const options = event.workflowExecutionOptionsUpdatedEventAttributes;
  if (options?.versioningOverride || options?.unsetVersioningOverride) {
    const { override: _before, ...rest } = record.versioning ?? { used: [] };
    const override = readOverride(options.versioningOverride);
    record.versioning = { ...rest, ...(override && { override }) };
  }
}

function replayWorker(
  record: RunRecord,
  completed: NonNullable<HistoryEvent['workflowTaskCompletedEventAttributes']>,
): void {
  const version = versionOf(completed.deploymentVersion);
  const { override, initial, used = [] } = record.versioning ?? {};
  if (version === undefined) {
    if (record.versioning) record.versioning = { ...(override && { override }), used };
    return;
  }
  const isUsed = used.some((each) => isSameVersion(each, version));
  record.versioning = {
    behavior: completed.versioningBehavior ?? 0,
    version,
    ...(override && { override }),
    ...(initial && { initial }),
    used: isUsed ? used : [...used, version],
  };
}
