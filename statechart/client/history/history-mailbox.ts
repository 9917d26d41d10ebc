import type { Interpreter } from '../../core/interpreter.ts';
import type { Cause } from './explanation.ts';

/** Something in the mailbox, with what it is told to be the cause of. */
export interface HistoryMail {
  readonly cause: (isTaken: boolean) => Cause;
  readonly take: (interpreter: Interpreter) => unknown;
}

/** What a machine takes one after the other. */
export class HistoryMailbox {
  /** Something came since the mailbox was last looked at, or an actor within the workflow has done something. */
  hasNews = false;
  #mails: HistoryMail[] = [];

  get isEmpty(): boolean {
    return this.#mails.length === 0;
  }

  queue(mail: HistoryMail): void {
    this.#mails.push(mail);
    this.hasNews = true;
  }

  next(): HistoryMail | undefined {
    return this.#mails.shift();
  }

  clear(): void {
    this.#mails = [];
  }
}
