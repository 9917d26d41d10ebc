import { isUuid, newId } from '../primitives/ids.ts';
import type { Clock } from '../primitives/clock.ts';
import type { Limits } from '../primitives/limits.ts';
import type { CommitGroup } from '../persistence/commit-group.ts';
import type { NamespaceRegistry } from '../persistence/namespace-registry.ts';
import { invalidArgument, notFound } from '../protocol/rpc-error.ts';
import { jsonPayload, long } from '../protocol/values.ts';
import { type Call, type WorkflowHandlers, waitFor, waitMs } from '../rpc/call.ts';
import { type StandaloneActivity, isClosed } from '../standalone-activities/activity.ts';
import type { ActivityRegistry } from '../standalone-activities/activity-registry.ts';
import { ACTIVITY_SCOPE, toListInfo } from '../standalone-activities/activity-visibility.ts';
import { requestCancel, terminate } from '../standalone-activities/control.ts';
import { startActivity } from '../standalone-activities/start-activity.ts';
import { type StartValidation, checkLength, validStart } from '../standalone-activities/valid-start.ts';
import { activityInfo, outcomeOf } from '../standalone-activities/views.ts';
import { statusNames } from '../visibility/query-values.ts';
import type { VisibilityStore } from '../visibility/visibility-store.ts';

/** What the methods of activities without a workflow take. */
export interface StandaloneServices extends StartValidation {
  readonly now: Clock;
  readonly group: Pick<CommitGroup, 'flush'>;
  readonly namespaces: NamespaceRegistry;
  readonly activities: ActivityRegistry;
  readonly visibility: VisibilityStore;
  readonly limits: Limits;
}

/** Names an activity, or its newest run. */
export interface NamedActivity {
  readonly namespace?: string | null;
  readonly activityId?: string | null;
  readonly runId?: string | null;
}

/** Checks how a request names an activity, without looking for it. */
export function checkName({ activityId, runId }: NamedActivity): void {
  if (!activityId) throw invalidArgument('activity ID is required');
  checkLength('activity ID', activityId);
  if (runId && !isUuid(runId)) throw invalidArgument('invalid run id: must be a valid UUID');
}

/** Finds the activity that a request names, which was checked. */
export function findActivity(
  { namespaces, activities }: Pick<StandaloneServices, 'namespaces' | 'activities'>,
  { namespace, activityId, runId }: NamedActivity,
): StandaloneActivity {
  const { name } = namespaces.get(namespace ?? '');
  const id = activityId ?? '';
  const found = activities.find({ namespace: name, activityId: id, runId: runId ?? '' });
  if (found) return found;
  throw notFound(`activity not found for ID: ${id}`);
}

interface OrderRequest extends NamedActivity {
  readonly requestId?: string | null;
  readonly identity?: string | null;
  readonly reason?: string | null;
}

/** Checks who asks for a change and why. */
export function validOrder(
  { blobBytes }: Pick<Limits, 'blobBytes'>,
  { requestId, identity, reason }: Omit<OrderRequest, keyof NamedActivity>,
): { readonly requestId: string; readonly identity: string; readonly reason: string } {
  checkLength('request ID', requestId);
  checkLength('identity', identity);
  if (Buffer.byteLength(reason ?? '') > blobBytes) throw invalidArgument('reason exceeds length limit');
  return { requestId: requestId || newId(), identity: identity ?? '', reason: reason ?? '' };
}

/** The methods by which clients start activities that belong to no workflow, look at them, and end them. */
export function standaloneActivityHandlers(services: StandaloneServices): WorkflowHandlers {
  const { activities, namespaces, visibility, limits, now } = services;
  const named = (request: NamedActivity): StandaloneActivity => {
    namespaces.get(request.namespace ?? '');
    checkName(request);
    return findActivity(services, request);
  };
  const ordered = (request: OrderRequest, perform: typeof terminate): object => {
    namespaces.get(request.namespace ?? '');
    checkName(request);
    const order = validOrder(limits, request);
    activities.change(findActivity(services, request), ({ state }) => {
      perform(state, order, now());
    });
    return {};
  };
  const listed = (namespace: string | null | undefined): string => {
    const { name } = namespaces.get(namespace ?? '');
    // Listings read the database file.
    services.group.flush();
    return name;
  };
  /** Waits until an activity is as it should be; answers undefined when the call has to be answered before. */
  const until = async (
    activity: StandaloneActivity,
    call: Call,
    isReached: (activity: StandaloneActivity) => boolean,
  ): Promise<StandaloneActivity | undefined> => {
    const { namespace, activityId, runId } = activity.ref;
    let left = waitMs(limits, call, limits.historyWaitMs);
    for (let current = activity; ;) {
      if (isReached(current)) return current;
      const began = performance.now();
      const changed = await waitFor<true>(call, left, (resolve) =>
        activities.onChange(current, () => {
          resolve(true);
        }),
      );
      if (!changed) return undefined;
      left = Math.max(0, left - (performance.now() - began));
      current = findActivity(services, { namespace, activityId, runId });
    }
  };
  return {
    StartActivityExecution: (request) => {
      const { name: namespace } = namespaces.get(request.namespace ?? '');
      const start = validStart(services, namespace, request);
      const { activityId } = start;
      const { runId, started } = startActivity({ activities, now }, namespace, start);
      return { runId, started, link: { activity: { namespace, activityId, runId } } };
    },
    DescribeActivityExecution: async (request, call) => {
      namespaces.get(request.namespace ?? '');
      const token = request.longPollToken ?? new Uint8Array();
      const isLongPoll = token.length > 0;
      if (!request.activityId || !isLongPoll || request.runId) checkName(request);
      else throw invalidArgument('run id is required when long poll token is provided');
      const activity = findActivity(services, request);
      const seen = isLongPoll ? seenTransitions(token, activity) : -1;
      const found = await until(activity, call, ({ state }) => state.transitions !== seen);
      if (!found) return {};
      const rest = activities.requestOf(found);
      return {
        runId: found.ref.runId,
        info: activityInfo(found, rest, request, now()),
        input: request.includeInput ? rest.input : null,
        outcome: request.includeOutcome ? outcomeOf(found) : null,
        longPollToken: pollToken(found),
      };
    },
    PollActivityExecution: async (request, call) => {
      const found = await until(named(request), call, ({ state }) => isClosed(state));
      return found ? { runId: found.ref.runId, outcome: outcomeOf(found) } : {};
    },
    ListActivityExecutions: (request) => {
      const { executions, nextPageToken } = visibility.list({
        namespace: listed(request.namespace),
        query: request.query ?? '',
        pageSize: request.pageSize ?? 0,
        nextPageToken: request.nextPageToken ?? new Uint8Array(),
        scope: ACTIVITY_SCOPE,
      });
      return { executions: executions.map(toListInfo), nextPageToken };
    },
    CountActivityExecutions: (request) => {
      const { count, groups } = visibility.count({
        namespace: listed(request.namespace),
        query: request.query ?? '',
        scope: ACTIVITY_SCOPE,
      });
      const byName = groups.map((group) => ({ ...group, name: statusNames[group.status] ?? '' }));
      return {
        count: long(count),
        groups: byName
          .toSorted((a, b) => (a.name < b.name ? -1 : 1))
          .map((group) => ({
            groupValues: [jsonPayload(JSON.stringify(group.name), 'Keyword')],
            count: long(group.count),
          })),
      };
    },
    RequestCancelActivityExecution: (request) => ordered(request, requestCancel),
    TerminateActivityExecution: (request) => ordered(request, terminate),
    DeleteActivityExecution: (request) => {
      activities.delete(named(request));
      return {};
    },
  };
}

/** Says which state of an activity a client has seen, so that it can wait for another one. */
function pollToken({ ref, state }: StandaloneActivity): Uint8Array {
  return Buffer.from(JSON.stringify([ref.runId, state.transitions]));
}

function seenTransitions(token: Uint8Array, { ref }: StandaloneActivity): number {
  let fields: unknown;
  try {
    fields = JSON.parse(Buffer.from(token).toString());
  } catch {
    throw invalidArgument('invalid long poll token');
  }
  const [runId, transitions] = Array.isArray(fields) ? (fields as unknown[]) : [];
  if (typeof runId !== 'string' || typeof transitions !== 'number') {
    throw invalidArgument('invalid long poll token');
  }
  if (runId !== ref.runId) throw invalidArgument('long poll token does not match execution');
  return transitions;
}
