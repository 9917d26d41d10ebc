import type { ApplicationFailure } from '@temporalio/workflow';
import type { Interpreter } from '../core/interpreter.ts';
import { MESSAGES } from '../core/messages.ts';
import type { ActorMessage } from './actor-message.ts';
import { shownOr } from './failures.ts';
import type { MachineParent } from './machine-start.ts';
import { stateOf } from './machine-view.ts';
import type { Outbox } from './outbox.ts';
import { tellWorkflow } from './running-actors.ts';

/** What a child machine tells the workflow of its parent. */
export class ParentLink {
  readonly #parent: MachineParent;
  #hasMoved: boolean;
  #shown: string | undefined;

  constructor(parent: MachineParent, hasMoved: boolean) {
    this.#parent = parent;
    this.#hasMoved = hasMoved;
  }

  /** The parent is another run than the one that started the child, and hears of its end by a signal alone. */
  get hasMoved(): boolean {
    return this.#hasMoved;
  }

  move(): void {
    this.#hasMoved = true;
  }

  /** Tells of the state when the parent wants to know and it is another one than before. */
  tell(interpreter: Interpreter, outbox: Outbox): void {
    const { address, step, isWatched } = this.#parent;
    if (!isWatched) return;
    const { value, status, tags } = stateOf(interpreter);
    const context = shownOr(() => interpreter.encode(interpreter.snapshot.context, 'context'));
    const state = { status, value, context, tags };
    const shown = JSON.stringify(state);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const message: ActorMessage = { type: 'state', step, state };
    outbox.send(`workflow ${address.workflowId}`, () =>
      tellWorkflow(address.workflowId, MESSAGES.actor, message),
    );
  }

  async reportEnd(error: ApplicationFailure | undefined, output: unknown): Promise<void> {
    if (!this.#hasMoved) return;
    const { address, step } = this.#parent;
    const message: ActorMessage =
      error === undefined
        ? { type: 'end', step, output }
        : { type: 'failure', step, error: error.details?.[0] };
    await tellWorkflow(address.workflowId, MESSAGES.actor, message);
  }
}
