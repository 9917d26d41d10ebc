import { durable } from '@steadyhand/statechart/workflow';
import { assign, setup } from 'xstate';

export interface Request {
  readonly document: string;
  /** How many people have to approve. */
  readonly needed: number;
  /** Milliseconds between two reminders. */
  readonly remindEvery: number;
  /** Milliseconds after which nobody is asked any more. */
  readonly giveUpAfter: number;
}

/** A document waits for people: they are reminded again and again, and one refusal or the end of the time decides. */
export const approvalMachine = setup({
  types: {} as {
    input: Request;
    context: Request & { approvedBy: readonly string[]; refusedBy: string | null; reminders: number };
    events: { type: 'approve'; by: string } | { type: 'refuse'; by: string };
    output: { approvedBy: readonly string[]; refusedBy: string | null; reminders: number };
  },
  actors: { remind: durable<null, { document: string; missing: number }>() },
  delays: {
    remindEvery: ({ context }) => context.remindEvery,
    giveUpAfter: ({ context }) => context.giveUpAfter,
  },
}).createMachine({
  id: 'approval',
  context: ({ input }) => ({ ...input, approvedBy: [], refusedBy: null, reminders: 0 }),
  initial: 'open',
  states: {
    open: {
      // It belongs to the outer state, so no reminder begins it anew.
      after: { giveUpAfter: 'expired' },
      always: { guard: ({ context }) => context.approvedBy.length >= context.needed, target: 'approved' },
      on: {
        approve: {
          guard: ({ context, event }) => !context.approvedBy.includes(event.by),
          actions: assign({ approvedBy: ({ context, event }) => [...context.approvedBy, event.by] }),
        },
        refuse: { target: 'refused', actions: assign({ refusedBy: ({ event }) => event.by }) },
      },
      initial: 'waiting',
      states: {
        waiting: { after: { remindEvery: 'reminding' } },
        reminding: {
          invoke: {
            src: 'remind',
            input: ({ context }) => ({
              document: context.document,
              missing: context.needed - context.approvedBy.length,
            }),
            onDone: {
              target: 'waiting',
              actions: assign({ reminders: ({ context }) => context.reminders + 1 }),
            },
            // A reminder that cannot be sent is no reason to give up.
            onError: 'waiting',
          },
        },
      },
    },
    approved: { type: 'final' },
    refused: { type: 'final' },
    expired: { type: 'final' },
  },
  output: ({ context: { approvedBy, refusedBy, reminders } }) => ({ approvedBy, refusedBy, reminders }),
});
