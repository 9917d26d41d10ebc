/** One thing that goes wrong. Calls of sources, steps and points count from 0, as the scenario without faults has them. */
export type Fault =
  /** The worker is lost while the call runs: the call has taken effect or not, and is made again by another worker. */
  | { readonly kind: 'crash'; readonly call: number }
  /** The call takes longer than it may. It may have taken effect. */
  | { readonly kind: 'timeout'; readonly call: number }
  | { readonly kind: 'failure'; readonly call: number }
  /** The answer comes after so many other things have happened, or at the end. */
  | { readonly kind: 'late'; readonly call: number; readonly things: number }
  | { readonly kind: 'twice'; readonly call: number }
  /** A client that heard no answer sends the event of the step again. */
  | { readonly kind: 'resent'; readonly step: number }
  /** The worker is lost between two things: the run is replayed by another one. */
  | { readonly kind: 'replay'; readonly point: number }
  | { readonly kind: 'continue-as-new'; readonly point: number };

export type FaultKind = Fault['kind'];

export const FAULT_KINDS: readonly FaultKind[] = [
  'crash',
  'timeout',
  'failure',
  'late',
  'twice',
  'resent',
  'replay',
  'continue-as-new',
];

/** How large a scenario is. */
export interface Extent {
  readonly calls: number;
  readonly points: number;
  /** The steps that send an event. */
  readonly sends: readonly number[];
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Every single fault that a scenario can meet, the earliest first. */
export function allFaults(kinds: readonly FaultKind[], { calls, points, sends }: Extent): Fault[] {
  const has = (kind: FaultKind): boolean => kinds.includes(kind);
  const atCalls = upTo(calls).flatMap((call): Fault[] => [
    ...(['crash', 'timeout', 'failure', 'twice'] as const).filter(has).map((kind) => ({ kind, call })),
    ...(has('late') ? upTo(points).map((at): Fault => ({ kind: 'late', call, things: at + 1 })) : []),
  ]);
  const atPoints = upTo(points).flatMap((point): Fault[] =>
    (['replay', 'continue-as-new'] as const).filter(has).map((kind) => ({ kind, point })),
  );
  const atSends = has('resent') ? sends.map((step): Fault => ({ kind: 'resent', step })) : [];
  return [...atCalls, ...atSends, ...atPoints];
}

/** A fault as one line. */
export function faultText(fault: Fault): string {
  if ('call' in fault) {
    return `${fault.kind}${fault.kind === 'late' ? ` by ${fault.things}` : ''} at call ${fault.call}`;
  }
  return 'step' in fault ? `step ${fault.step} sent twice` : `${fault.kind} behind point ${fault.point}`;
}
