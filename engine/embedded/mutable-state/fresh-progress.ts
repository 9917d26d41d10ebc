import type { RunRecord } from './record.ts';

/** What the record of a run says to which nothing has happened yet. */
export function freshProgress(): Pick<
  RunRecord,
  | 'cancelRequested'
  | 'nextEventId'
  | 'historySizeBytes'
  | 'stateTransitions'
  | 'lastStartedEventId'
  | 'externals'
  | 'updates'
  | 'signalRequestIds'
  | 'buffered'
  | 'transfers'
> {
  return {
    cancelRequested: false,
    nextEventId: 1,
    historySizeBytes: 0,
    stateTransitions: 0,
    lastStartedEventId: 0,
    externals: {},
    updates: {},
    signalRequestIds: [],
    buffered: [],
    transfers: [],
  };
}
