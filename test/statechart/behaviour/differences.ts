/** The ways in which a row runs besides XState itself. */
export type Way =
  | 'test actor'
  | 'test actor, continued'
  | 'workflow, cached'
  | 'workflow, replayed'
  | 'workflow, continued';

/** A row that is not as in XState, and why. */
export interface Difference {
  readonly row: string;
  readonly ways: readonly Way[];
  /** What XState does. */
  readonly plain: string;
  /** What a durable actor does. */
  readonly durable: string;
  readonly reason: string;
}

const WORKFLOWS: readonly Way[] = ['workflow, cached', 'workflow, replayed', 'workflow, continued'];

export const differences: readonly Difference[] = [
  {
    row: 'machine: getSnapshot of a child whose snapshots nobody asked for (child workflow)',
    ways: WORKFLOWS,
    plain: 'The snapshot of the child, whenever one looks.',
    durable:
      'A child that is a workflow of its own shows its status alone. With `onSnapshot` on its invocation it shows its state, too.',
    reason: 'Each look would be a message to another workflow; a child that nobody watches sends none.',
  },
  {
    row: 'machine: onSnapshot after an event that the child does not take (child workflow)',
    ways: WORKFLOWS,
    plain: 'Every event that the child gets leads to a snapshot, though nothing has changed.',
    durable:
      'A child that is a workflow of its own tells its state when it has changed, and once for what it took in one workflow task.',
    reason: 'Each snapshot is a signal in two histories.',
  },
];
