import { assign, setup } from 'xstate';

/** Three generations of one machine: the second has renamed a state, the third has lost it. */
const approval = setup({
  types: {} as {
    context: { notes: number; reviewer?: string };
    events: { type: 'note' } | { type: 'approve' } | { type: 'reject' };
  },
  guards: { isNoted: ({ context }) => context.notes > 0 },
  actions: { count: assign({ notes: ({ context }) => context.notes + 1 }) },
});

export const first = approval.createMachine({
  id: 'approval',
  version: '1',
  context: { notes: 0 },
  initial: 'waiting',
  states: {
    waiting: {
      on: {
        note: { actions: 'count' },
        approve: { guard: 'isNoted', target: 'approved' },
        reject: 'rejected',
      },
    },
    approved: { type: 'final' },
    rejected: { type: 'final' },
  },
});

export const second = approval.createMachine({
  id: 'approval',
  version: '2',
  context: { notes: 0, reviewer: 'nobody' },
  initial: 'open',
  states: {
    open: {
      on: {
        note: { actions: 'count' },
        approve: { guard: 'isNoted', target: 'approved' },
        reject: 'rejected',
      },
    },
    approved: { type: 'final' },
    rejected: { type: 'final' },
  },
});
