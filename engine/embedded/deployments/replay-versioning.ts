import type { HistoryEvent } from '../history/events.ts';
import type { RunRecord } from '../mutable-state/record.ts';
import { readOverride } from './run-versioning.ts';
import { isSameVersion, versionOf } from './version.ts';

/** Changes what a run's record says of its versioning as the event did. Revisions of a routing are not in histories. */
export function replayVersioning(record: RunRecord, event: HistoryEvent): void {
  const started = event.workflowExecutionStartedEventAttributes;
  if (started) {
    const override = readOverride(started.versioningOverride);
    const inherited = versionOf(started.inheritedPinnedVersion);
    const initial = started.inheritedAutoUpgradeInfo?.continueAsNewInitialVersioningBehavior;
    if (!override && !inherited && !initial) return;
    record.versioning = {
      ...(override && { override }),
      ...(inherited && { inherited }),
      ...(initial && { initial }),
      used: [],
    };
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
