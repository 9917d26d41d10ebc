import type { Macrostep, SentEvent, StartedEffect, StoppedEffect } from './explanation.ts';

/** A macrostep whose effects are not all known yet. */
export type OpenStep = { -readonly [Key in keyof Macrostep]: Macrostep[Key] } & {
  readonly started: StartedEffect[];
  readonly stopped: StoppedEffect[];
  readonly sent: SentEvent[];
};

/** Notes that an event of the history followed from the macrostep; 0 stands for none. */
export function noteEvent(step: OpenStep, eventId: number): void {
  if (eventId === 0) return;
  step.events = { first: step.events.first, last: Math.max(step.events.last, eventId) };
}
