import type { AnyEventObject } from 'xstate';
import { EventDoor, InvalidEventError } from '../../core/event-door.ts';
import type { ChildState } from '../../core/durable-logic.ts';
import { MESSAGES } from '../../core/messages.ts';
import type { WorkflowDefinition } from '../../core/workflow-definition.ts';
import type { ActorMessage } from '../../workflow/actor-message.ts';
import type { HistoryActors } from './history-actors.ts';
import { fieldsOf, textOf, type HistoryEvent } from './history-event.ts';
import { valuesOf } from './payloads.ts';
import type { ReplayParts } from './replay-parts.ts';

/** The signals and updates of a history, on their way into the mailbox. */
export class HistoryMessages {
  readonly #parts: ReplayParts;
  readonly #actors: HistoryActors;
  readonly #door: EventDoor;

  constructor(parts: ReplayParts, actors: HistoryActors) {
    this.#parts = parts;
    this.#actors = actors;
    this.#door = new EventDoor(parts.definition.machine, parts.definition.events);
  }

  signal(event: HistoryEvent): void {
    const { signals = {} } = this.#parts.definition;
    const name = textOf(event.attributes, 'signalName');
    const args = valuesOf(event.attributes['input']);
    const own = Object.hasOwn(signals, name) ? signals[name] : undefined;
    if (name === MESSAGES.send) this.#post(args[0], event.id);
    else if (own !== undefined) this.#post(own(...(args as never[])), event.id);
    else if (name === MESSAGES.actor) this.#hear(args[0] as ActorMessage, event.id);
  }

  update(event: HistoryEvent): void {
    const { definition, mailbox } = this.#parts;
    const { updates = {} } = definition;
    const request = fieldsOf(event.attributes, 'acceptedRequest');
    const input = fieldsOf(request, 'input');
    const name = textOf(input, 'name');
    const args = valuesOf(input['args']);
    const own = Object.hasOwn(updates, name) ? updates[name] : undefined;
    if (name !== MESSAGES.send && own === undefined) return;
    const updateId = textOf(fieldsOf(request, 'meta'), 'updateId');
    const eventId = event.id;
    const admitted = this.#admitted(own === undefined ? args[0] : own(...(args as never[])), eventId);
    if (admitted === undefined) return;
    mailbox.queue({
      cause: (isTaken) => ({ type: 'update', eventId, updateId, event: admitted, isRefused: !isTaken }),
      take: (interpreter) => {
        if (!interpreter.can(admitted)) return false;
        interpreter.send(admitted);
        return true;
      },
    });
  }

  #post(event: unknown, eventId: number): void {
    const admitted = this.#admitted(event, eventId);
    if (admitted === undefined) return;
    this.#parts.mailbox.queue({
      cause: () => ({ type: 'signal', eventId, event: admitted }),
      take: (interpreter) => interpreter.send(admitted),
    });
  }

  #hear(message: ActorMessage, eventId: number): void {
    const { mailbox } = this.#parts;
    switch (message.type) {
      case 'event': {
        const { event, path } = message;
        mailbox.queue({
          cause: () => ({ type: 'signal', eventId, event, path }),
          take: (interpreter) => interpreter.send(event, path),
        });
        break;
      }
      case 'state': {
        const actor = this.#actors.nameOf(message.step);
        const { step, state } = message as { readonly step: number; readonly state: ChildState };
        mailbox.queue({
          cause: () => ({ type: 'child state', eventId, actor }),
          take: (interpreter) => interpreter.showChild(step, state),
        });
        break;
      }
      case 'end':
        this.#actors.settle(message.step, { output: message.output }, eventId);
        break;
      case 'failure':
        this.#actors.settle(message.step, { error: message.error }, eventId);
        break;
      case 'wake':
        mailbox.hasNews = true;
        break;
      case 'parent-moves':
        break;
    }
  }

  /** Undefined for what a client may not send, which is noted as refused. */
  #admitted(event: unknown, eventId: number): AnyEventObject | undefined {
    try {
      return this.#door.admit(event);
    } catch (error) {
      if (!(error instanceof InvalidEventError)) throw error;
      this.#parts.machine.noteRefused(eventId, error.message);
      return undefined;
    }
  }
}

export const isMessage = ({ type }: HistoryEvent): boolean =>
  type === 'WorkflowExecutionSignaled' || type === 'WorkflowExecutionUpdateAccepted';

/** Messages that came before the workflow had handlers, as they are handed to each of these once it has come to be. */
export function inOrderOfHandlers(
  messages: readonly HistoryEvent[],
  { signals = {}, updates = {} }: WorkflowDefinition,
): readonly HistoryEvent[] {
  const handlers = [
    `signal ${MESSAGES.send}`,
    `update ${MESSAGES.send}`,
    ...Object.keys(signals).map((name) => `signal ${name}`),
    ...Object.keys(updates).map((name) => `update ${name}`),
    `signal ${MESSAGES.actor}`,
  ];
  const order = (message: HistoryEvent): number => {
    const at = handlers.indexOf(messageName(message));
    return at === -1 ? handlers.length : at;
  };
  return [...messages].sort((a, b) => order(a) - order(b));
}

function messageName({ type, attributes }: HistoryEvent): string {
  if (type === 'WorkflowExecutionSignaled') return `signal ${textOf(attributes, 'signalName')}`;
  const request = fieldsOf(attributes, 'acceptedRequest');
  return `update ${textOf(fieldsOf(request, 'input'), 'name')}`;
}
