import { formatDuration } from '../../parts/format.ts';
import { type Attributes, textIn, typeName } from './history-event.ts';

/** What a group of events is about. */
export type GroupKind =
  | 'run'
  | 'task'
  | 'activity'
  | 'local'
  | 'timer'
  | 'child'
  | 'signal'
  | 'update'
  | 'external'
  | 'nexus'
  | 'marker'
  | 'other';

export const KIND_NAMES = {
  run: 'Run',
  task: 'Workflow task',
  activity: 'Activity',
  local: 'Local activity',
  timer: 'Timer',
  child: 'Child workflow',
  signal: 'Signal',
  update: 'Update',
  external: 'Other workflow',
  nexus: 'Nexus operation',
  marker: 'Marker',
  other: 'Event',
} as const satisfies Record<GroupKind, string>;

export function kindOf(type: string, attributes: Attributes): GroupKind {
  if (type === 'MARKER_RECORDED')
    return textIn(attributes, 'markerName') === 'core_local_activity' ? 'local' : 'marker';
  if (type === 'WORKFLOW_EXECUTION_SIGNALED') return 'signal';
  if (type.startsWith('WORKFLOW_EXECUTION_UPDATE_')) return 'update';
  if (type.startsWith('ACTIVITY_TASK_')) return 'activity';
  if (type.startsWith('WORKFLOW_TASK_')) return 'task';
  if (type.startsWith('TIMER_')) return 'timer';
  if (type.includes('CHILD_WORKFLOW')) return 'child';
  if (type.includes('EXTERNAL_WORKFLOW')) return 'external';
  if (type.startsWith('NEXUS_')) return 'nexus';
  return type.startsWith('WORKFLOW_EXECUTION_') ? 'run' : 'other';
}

/** What a group is by name, and which one of that name. */
export function labelOf(
  kind: GroupKind,
  type: string,
  attributes: Attributes,
): { readonly label: string; readonly detail: string | undefined } {
  const of = (label: string | undefined, detail?: string): { label: string; detail: string | undefined } => ({
    label: label ?? typeName(type),
    detail,
  });
  switch (kind) {
    case 'activity':
      return of(textIn(attributes, 'activityType'), textIn(attributes, 'activityId'));
    case 'local':
      return of(localActivity(attributes) ?? 'Local activity');
    case 'timer':
      return of(timerLabel(attributes), textIn(attributes, 'timerId'));
    case 'child':
      return of(textIn(attributes, 'workflowType'), textIn(attributes, 'workflowId'));
    case 'signal':
      return of(textIn(attributes, 'signalName'));
    case 'update':
      return of(updateName(attributes));
    case 'external':
      return of(
        textIn(attributes, 'signalName') ?? 'Cancel request',
        textIn((attributes['workflowExecution'] ?? {}) as Attributes, 'workflowId'),
      );
    case 'nexus':
      return of(textIn(attributes, 'operation'), textIn(attributes, 'endpoint'));
    case 'marker':
      return of(textIn(attributes, 'markerName'));
    case 'task':
      return of('Workflow task');
    case 'run':
    case 'other':
      return of(undefined, textIn(attributes, 'workflowType'));
  }
}

function timerLabel(attributes: Attributes): string {
  const seconds = Number.parseFloat(textIn(attributes, 'startToFireTimeout') ?? '');
  return Number.isNaN(seconds) ? 'Timer' : `Timer of ${formatDuration(seconds * 1000)}`;
}

function updateName(attributes: Attributes): string | undefined {
  const request = (attributes['acceptedRequest'] ??
    attributes['rejectedRequest'] ??
    attributes['request']) as { readonly input?: { readonly name?: string } } | undefined;
  return request?.input?.name;
}

/** The SDK writes the type into the marker's payload. */
function localActivity(attributes: Attributes): string | undefined {
  const details = attributes['details'] as
    | Readonly<
        Record<string, { readonly payloads?: readonly { readonly decoded?: { readonly value?: unknown } }[] }>
      >
    | undefined;
  const value = details?.['data']?.payloads?.[0]?.decoded?.value as
    | { readonly activity_type?: unknown }
    | null
    | undefined;
  return typeof value?.activity_type === 'string' ? value.activity_type : undefined;
}
