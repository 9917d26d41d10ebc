import type { ApiAnswer } from '../../client/api.ts';

/** A macrostep, as far as it is shown; `docs/statechart-seeing.md` says what its fields tell. */
export interface Step {
  readonly number: number;
  readonly events: { readonly first: number; readonly last: number };
  readonly at: number;
  readonly cause: StepCause;
  readonly from: string;
  readonly to: string;
  readonly transitions: readonly TakenTransition[];
  readonly actions: readonly string[];
  readonly changed: readonly { readonly path: string; readonly before?: unknown; readonly after?: unknown }[];
  readonly started: readonly StepEffect[];
  readonly stopped: readonly StepEffect[];
  readonly sent: readonly {
    readonly workflowId: string;
    readonly event: { readonly type: string };
    readonly eventId: number;
  }[];
  readonly emitted: readonly unknown[];
  readonly snapshot: {
    readonly status: 'active' | 'done' | 'error' | 'stopped';
    readonly value: unknown;
    readonly context: unknown;
    readonly output?: unknown;
    readonly error?: unknown;
  };
}

export interface StepCause {
  readonly type: string;
  readonly eventId: number;
  readonly event?: { readonly type: string };
  readonly actor?: { readonly id: string; readonly src: string };
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly reason?: string;
  readonly id?: string;
  readonly isRefused?: boolean;
}

export interface TakenTransition {
  readonly actor: string;
  readonly source: string;
  readonly targets: readonly string[];
  readonly event: string;
  readonly guard?: string;
}

export interface StepEffect {
  readonly type: string;
  readonly id: string;
  readonly src?: string;
  readonly ms?: number;
  readonly eventId: number;
}

/** The steps of an answer. Its shape leaves them open, because the library says what is in them. */
export const stepsOf = ({
  steps,
}: Pick<ApiAnswer<'GET /v1/workflows/{workflow_id}/explanation'>, 'steps'>): readonly Step[] =>
  steps as unknown as readonly Step[];

/** Whether something went wrong in a step. */
export const isFault = ({ cause, snapshot }: Step): boolean =>
  cause.type === 'error' ||
  cause.type === 'refused' ||
  cause.isRefused === true ||
  snapshot.status === 'error';

/** What came in, in a person's words. */
export function causeText({ type, event, actor, id, reason }: StepCause): string {
  switch (type) {
    case 'start':
      return 'The run began';
    case 'continued':
      return 'Goes on from the run before';
    case 'signal':
    case 'update':
      return `${event?.type ?? '?'} came by ${type}`;
    case 'refused':
      return `Refused: ${reason ?? ''}`;
    case 'done':
      return `${actor?.src ?? '?'} is done`;
    case 'error':
      return `${actor?.src ?? '?'} failed`;
    case 'child state':
      return `${actor?.src ?? '?'} told of its state`;
    case 'delay':
      return `The time of ${id ?? '?'} was over`;
    case 'cancel':
      return 'The workflow was asked to cancel';
    case 'migration':
      return 'Moved to another version of the machine';
    default:
      return 'Something inside the workflow';
  }
}
