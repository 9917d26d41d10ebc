import type { HistoryActors } from './history-actors.ts';
import type { SentEvent } from './explanation.ts';
import { noteEvent, type OpenStep } from './open-step.ts';
import type { ReplayParts } from './replay-parts.ts';
import type { Send } from './step-recorder.ts';

/** Events for other workflows: which macrostep has sent each, and which signal of the history it became. */
export class HistoryOutbox {
  readonly #parts: ReplayParts;
  readonly #actors: HistoryActors;
  /** Which macrostep has sent an event, for those that leave the workflow at the end of a task. */
  #senders: (Send & { readonly step: OpenStep })[] = [];
  /** Signals to other workflows that the history has not been asked for yet, in order. */
  readonly #unsent: { readonly step: OpenStep; readonly sent: SentEvent }[] = [];

  constructor(parts: ReplayParts, actors: HistoryActors) {
    this.#parts = parts;
    this.#actors = actors;
  }

  note(sends: readonly Send[], step: OpenStep): void {
    for (const { to, type } of sends) this.#senders.push({ to, type, step });
  }

  flush(): void {
    const { machine, workflowId: own } = this.#parts;
    if (machine.interpreter === undefined) return;
    for (const { to, event } of machine.interpreter.takeOutgoing()) {
      const path = 'step' in to ? this.#actors.pathOf(to.step) : to.path;
      const workflowId = 'step' in to ? [own, ...path, to.step].join('/') : to.workflowId;
      const actorId = 'step' in to ? path.at(-1) : [to.workflowId, ...path].join('/');
      const at = this.#senders.findIndex((send) => send.type === event.type && send.to === actorId);
      const step = this.#senders[at]?.step ?? machine.steps.at(-1);
      if (at !== -1) this.#senders.splice(at, 1);
      const sent = { workflowId, path: 'step' in to ? [] : path, event, eventId: 0 };
      step?.sent.push(sent);
      if (step !== undefined) this.#unsent.push({ step, sent });
    }
    this.#senders = [];
  }

  /** Gives what was sent the signals of this task. */
  match(): void {
    const { commands, hand } = this.#parts;
    for (const command of commands.leftOf(hand.task)) {
      if (command.kind !== 'signal') continue;
      const index = this.#unsent.findIndex(({ sent }) => sent.workflowId === command.id);
      commands.take(({ event }) => event === command.event);
      const [found] = index === -1 ? [] : this.#unsent.splice(index, 1);
      if (found === undefined) continue;
      found.step.sent[found.step.sent.indexOf(found.sent)] = { ...found.sent, eventId: command.event.id };
      noteEvent(found.step, command.event.id);
    }
  }
}
