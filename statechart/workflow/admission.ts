import { ApplicationFailure, log } from '@temporalio/workflow';
import type { AnyEventObject } from 'xstate';
import { InvalidEventError, type EventDoor } from '../core/event-door.ts';
import type { RefusedEvents } from '../core/messages.ts';

/** What clients may send. A signal has nobody to tell that it was refused, so that is logged and counted. */
export class Admission {
  readonly #door: EventDoor;
  #refused: RefusedEvents | undefined;

  constructor(door: EventDoor, refused: RefusedEvents | undefined) {
    this.#door = door;
    this.#refused = refused;
  }

  /** As a part of the query `snapshot`; empty while nothing was refused. */
  get refusals(): { readonly refused?: RefusedEvents } {
    return this.#refused === undefined ? {} : { refused: this.#refused };
  }

  /** @throws ApplicationFailure of type `InvalidEvent`. */
  admit(event: unknown): AnyEventObject {
    try {
      return this.#door.admit(event);
    } catch (error) {
      if (!(error instanceof InvalidEventError)) throw error;
      throw ApplicationFailure.nonRetryable(error.message, 'InvalidEvent');
    }
  }

  /** The event of a signal; undefined when it is refused, or when none can be made of the arguments of a signal of that name. */
  admitSignal(eventOf: () => unknown, name?: string): AnyEventObject | undefined {
    let event: unknown;
    try {
      event = eventOf();
    } catch (error) {
      return this.#refuse(`signal '${name}': ${error instanceof Error ? error.message : String(error)}`);
    }
    try {
      return this.#door.admit(event);
    } catch (error) {
      if (!(error instanceof InvalidEventError)) throw error;
      return this.#refuse(error.message);
    }
  }

  #refuse(reason: string): undefined {
    this.#refused = { count: (this.#refused?.count ?? 0) + 1, last: reason };
    log.warn('a signal was refused', { reason });
  }
}
