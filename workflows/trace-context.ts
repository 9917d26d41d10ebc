import { type WorkflowInterceptors, workflowInfo } from '@temporalio/workflow';
import type { EndTurnOutcome } from '@steadyhand/contracts';

/** The header under which Temporal's SDKs carry a trace. Its value is passed on as it came, and never read here. */
const TRACE = '_tracer-data';
/** The header under which a run that continues as new carries the turn's trace. */
const TURN = 'steadyhand-turn';
/** The headers under which an activity learns of further traces that led to it. */
const LINK = 'steadyhand-link-';
/** Links that one activity learns of; older ones are dropped. */
const MAX_LINKS = 8;

/** The activities with which a turn ends. */
const ENDINGS: ReadonlySet<string> = new Set(['endTurn', 'failTurn']);

type Headers = Parameters<
  NonNullable<NonNullable<ReturnType<() => WorkflowInterceptors>['inbound']>[number]['handleSignal']>
>[0]['headers'];
type Trace = Headers[string];

/**
 * Passes the trace of the message that began a turn on to the turn's activities: one trace a turn, however long the session lives.
 * What comes while a turn goes on (a confirmation, an interrupt, the next message) has a trace of its own, which the next activity
 * is linked to. It reads headers and adds headers, and gives no command of its own, so that histories from before it replay.
 */
export const interceptors = (): WorkflowInterceptors => {
  let turn: Trace | undefined;
  let next: Trace | undefined;
  let links: Trace[] = [];

  const ended = (outcome: EndTurnOutcome): void => {
    // A message that came meanwhile begins the next turn, or is what the session goes on with.
    turn = next ?? (outcome.type === 'more' ? turn : undefined);
    next = undefined;
  };

  /** With the turn's trace, and those of what came since the last activity. */
  const withTrace = (headers: Headers): Headers => {
    const added = links.map((link, index): [string, Trace] => [`${LINK}${index}`, link]);
    links = [];
    if (turn === undefined && added.length === 0) return headers;
    return { ...headers, ...Object.fromEntries(added), ...(turn === undefined ? {} : { [TRACE]: turn }) };
  };

  return {
    inbound: [
      {
        execute(input, proceed) {
          turn =
            input.headers[TURN] ??
            (workflowInfo().workflowType === 'session' ? undefined : input.headers[TRACE]);
          return proceed(input);
        },
        handleSignal(input, proceed) {
          const trace = input.headers[TRACE];
          if (trace !== undefined) {
            const isMessage =
              (input.args[0] as { readonly type?: unknown } | undefined)?.type === 'user.message';
            if (isMessage && turn === undefined) turn = trace;
            else {
              if (isMessage) next = trace;
              links = [...links, trace].slice(-MAX_LINKS);
            }
          }
          return proceed(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity(input, proceed) {
          const outcome = proceed({ ...input, headers: withTrace(input.headers) });
          // The promise itself is answered: another one would settle later and could reorder what the workflow does.
          if (ENDINGS.has(input.activityType))
            outcome.then(
              (result) => ended(result as EndTurnOutcome),
              () => undefined,
            );
          return outcome;
        },
        scheduleLocalActivity(input, proceed) {
          return proceed({ ...input, headers: withTrace(input.headers) });
        },
        continueAsNew(input, proceed) {
          return proceed(
            turn === undefined ? input : { ...input, headers: { ...input.headers, [TURN]: turn } },
          );
        },
      },
    ],
  };
};
