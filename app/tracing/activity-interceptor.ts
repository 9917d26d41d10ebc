import { createHash } from 'node:crypto';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Tracing } from '@steadyhand/contracts';
import { type CarriedTrace, traceOf } from './trace-header.ts';

type Info = Parameters<ActivityInterceptorsFactory>[0]['info'];

const ENDINGS: ReadonlySet<string> = new Set(['endTurn', 'failTurn']);

/**
 * Makes a span of every attempt at an activity. The activities of a turn belong to one span, the turn, whose id follows from the
 * message's trace, so that every worker knows it; whoever ends the turn tells of it.
 */
export function activityInterceptor(tracing: Tracing): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const { trace, links } = traceOf(input.headers);
        const turn = trace === undefined ? undefined : turnOf(trace);
        const { session } = factsIn(input.args);
        const outcome = await tracing.run(
          info.activityType,
          {
            parent: turn?.traceparent ?? null,
            links,
            kind: 'consumer',
            attributes: {
              ...temporalFacts(info),
              ...(session === undefined ? {} : { 'gen_ai.conversation.id': session }),
            },
            log: { step: info.activityType, ...(session === undefined ? {} : { session }) },
          },
          () => next(input),
        );
        if (trace !== undefined && turn !== undefined && ENDINGS.has(info.activityType))
          tellTurn(tracing, { trace, id: turn.id, info, session });
        return outcome;
      },
    },
  });
}

function turnOf({ traceparent }: CarriedTrace): { readonly id: string; readonly traceparent: string } {
  const id = createHash('sha256').update(`turn ${traceparent}`).digest('hex').slice(0, 16);
  return { id, traceparent: `${traceparent.slice(0, 36)}${id}${traceparent.slice(52)}` };
}

function tellTurn(
  tracing: Tracing,
  {
    trace,
    id,
    info,
    session,
  }: {
    readonly trace: CarriedTrace;
    readonly id: string;
    readonly info: Info;
    readonly session: string | undefined;
  },
): void {
  const span = tracing.begin('invoke_agent', {
    id,
    parent: trace.traceparent,
    start: trace.since ?? info.scheduledTimestampMs,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'temporal.workflow_id': info.workflowExecution?.workflowId,
      'temporal.run_id': info.workflowExecution?.runId,
      ...(session === undefined ? {} : { 'gen_ai.conversation.id': session }),
    },
  });
  if (info.activityType === 'failTurn') span.fail('turn_failed');
  span.end();
}

function temporalFacts(info: Info): Readonly<Record<string, string | number | undefined>> {
  return {
    'temporal.workflow_id': info.workflowExecution?.workflowId,
    'temporal.run_id': info.workflowExecution?.runId,
    'temporal.activity_id': info.activityId,
    'temporal.attempt': info.attempt,
    'temporal.schedule_to_start_ms': Math.max(0, Date.now() - info.currentAttemptScheduledTimestampMs),
  };
}

/** The ids in an activity's input. */
function factsIn([input]: readonly unknown[]): { readonly session?: string } {
  const session = (input as { readonly session?: unknown } | undefined)?.session;
  return typeof session === 'string' ? { session } : {};
}
