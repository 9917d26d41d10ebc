import type { Interpreter } from '../../core/interpreter.ts';
import { migrateCarried } from '../../core/migration.ts';
import type { WorkflowDefinition } from '../../core/workflow-definition.ts';
import type { MachineStart } from '../../workflow/machine-start.ts';
import { isParentMoves, localActivityOf, type CommandIndex } from './command-index.ts';
import type { Cause, StartedEffect } from './explanation.ts';
import { HistoryActors } from './history-actors.ts';
import { requireNothingLeft, requireSameEnd } from './history-end.ts';
import { isFields, textOf, type HistoryEvent } from './history-event.ts';
import type { HistoryLineage } from './history-lineage.ts';
import { HistoryJobs } from './history-jobs.ts';
import { HistoryMailbox } from './history-mailbox.ts';
import { HistoryMessages, inOrderOfHandlers, isMessage } from './history-messages.ts';
import { HistoryOutbox } from './history-outbox.ts';
import { HistoryTimers } from './history-timers.ts';
import { Microtasks, ticksOf, type Ticks } from './microtasks.ts';
import type { OpenStep } from './open-step.ts';
import { valuesOf } from './payloads.ts';
import type { ReplayParts } from './replay-parts.ts';
import { SteppedMachine } from './stepped-machine.ts';
import { TaskAtHand } from './task-at-hand.ts';
import type { WorkflowTask } from './workflow-tasks.ts';

interface HistoryRunOptions {
  readonly definition: WorkflowDefinition;
  readonly lineage: HistoryLineage;
  readonly commands: CommandIndex;
  readonly workflowId: string;
}

/**
 * Takes a machine through a history as `machine-run.ts` does in a workflow: the same mailbox, filled and emptied at the same
 * moments of each task, but with the history's outcomes in place of the world's.
 */
export class HistoryRun {
  readonly #lineage: HistoryLineage;
  readonly #parts: ReplayParts;
  readonly #hand = new TaskAtHand();
  readonly #mailbox = new HistoryMailbox();
  readonly #microtasks = new Microtasks();
  readonly #ticks: Ticks;
  readonly #machine: SteppedMachine;
  readonly #actors: HistoryActors;
  readonly #timers: HistoryTimers;
  readonly #outbox: HistoryOutbox;
  readonly #jobs: HistoryJobs;
  /** Signals that tell children of the next run and have not arrived yet, by their events. */
  readonly #moves = new Set<number>();
  #start: MachineStart = { input: undefined };
  #startEvent: HistoryEvent | undefined;
  /** The loop waits, and has not been woken. */
  #isWaiting = false;
  /** The loop does not run now. */
  #isAsleep = false;
  #isMoving = false;
  #isCancelled = false;
  #isOver = false;
  /** Outcomes of local activities that the next task tells of. */
  #late: HistoryEvent[] = [];

  constructor({ definition, lineage, commands, workflowId }: HistoryRunOptions) {
    this.#lineage = lineage;
    this.#ticks = ticksOf(lineage.isIdentified);
    this.#machine = new SteppedMachine({
      definition,
      lineage,
      workflowId,
      hand: this.#hand,
      wake: () => {
        this.#mailbox.hasNews = true;
      },
    });
    this.#parts = {
      definition,
      commands,
      workflowId,
      hand: this.#hand,
      machine: this.#machine,
      mailbox: this.#mailbox,
      microtasks: this.#microtasks,
      ticks: this.#ticks,
    };
    this.#actors = new HistoryActors(this.#parts);
    this.#timers = new HistoryTimers(this.#parts);
    this.#outbox = new HistoryOutbox(this.#parts, this.#actors);
    this.#jobs = new HistoryJobs({
      actors: this.#actors,
      timers: this.#timers,
      messages: new HistoryMessages(this.#parts, this.#actors),
      microtasks: this.#microtasks,
      ticks: this.#ticks,
      updated: () => this.#turnAtOnce(),
      cancel: (eventId) => this.#cancel(eventId),
      signalled: (initiated) => {
        if (this.#moves.delete(initiated) && this.#isMoving) this.#tryToMove();
      },
    });
  }

  get steps(): readonly OpenStep[] {
    return this.#machine.steps;
  }

  get interpreter(): Interpreter | undefined {
    return this.#machine.interpreter;
  }

  /** The machine takes nothing any more: it has ended, was cancelled, or has moved to another run. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get running(): readonly StartedEffect[] {
    return [...this.#actors.running, ...this.#timers.running];
  }

  /**
   * @param next The task after this one, which may have the commands of this one.
   * @throws DivergenceError where the machine does something else than the history says.
   */
  async perform(task: WorkflowTask, next?: WorkflowTask): Promise<void> {
    this.#hand.begin(task, next);
    const [first, ...rest] = task.incoming;
    if (first?.type === 'WorkflowExecutionStarted') await this.#begin(first, rest);
    else await this.#activate([...task.incoming, ...this.#late].map((event) => () => this.#jobs.take(event)));
    this.#late = [];
    for (const event of task.commands.filter((command) => localActivityOf(command) !== undefined)) {
      // A task that was ended early, as for a query, tells the workflow in the next one.
      const isLate = task.isForced && event === task.commands.at(-1);
      if (isLate) this.#late.push(event);
      else await this.#activate([() => this.#jobs.take(event)]);
    }
    this.#timers.match();
    this.#outbox.match();
    this.#actors.requireMatched();
    if (this.#lineage.held === undefined) requireNothingLeft(this.#parts, this.#late);
    requireSameEnd(this.#parts, { isOver: this.#isOver, isCancelled: this.#isCancelled });
  }

  /** The first activation: what came before the workflow had handlers is handed to each of them as it comes to be. */
  async #begin(event: HistoryEvent, rest: readonly HistoryEvent[]): Promise<void> {
    this.#startEvent = event;
    const [argument] = valuesOf(event.attributes['input']);
    this.#start = isFields(argument) ? (argument as unknown as MachineStart) : { input: undefined };
    const messages = inOrderOfHandlers(rest.filter(isMessage), this.#parts.definition);
    const others = rest.filter((incoming) => !isMessage(incoming));
    await this.#activate([
      () => {
        for (const message of messages) this.#jobs.take(message);
        for (const other of others) this.#jobs.take(other);
        this.#loop();
      },
    ]);
  }

  async #activate(jobs: readonly (() => void)[]): Promise<void> {
    if (this.#isOver) return;
    for (const job of jobs) {
      job();
      this.#unblock();
    }
    do {
      this.#microtasks.drain();
      await settled();
    } while (this.#unblock());
  }

  /** Lets the loop go on when it waits for news and there are some. */
  #unblock(): boolean {
    if (!this.#isWaiting || !(this.#mailbox.hasNews || this.#isCancelled)) return false;
    this.#isWaiting = false;
    this.#microtasks.after(this.#ticks.wake, () => this.#loop());
    return true;
  }

  /** Takes what has come while the loop sleeps on, as a run does with an update. */
  #turnAtOnce(): void {
    const isFree = this.#lineage.isIdentified && this.#lineage.held === undefined && !this.#isCancelled;
    if (!this.#isAsleep || !isFree) return;
    const isWaiting = this.#isWaiting;
    this.#loop();
    this.#isWaiting &&= isWaiting;
  }

  /** The loop of `MachineRun.run`, from the top to where it waits. */
  #loop(): void {
    if (this.#isOver) return;
    this.#isAsleep = false;
    const { marks } = this.#hand;
    this.#mailbox.hasNews = false;
    this.#lineage.decide(marks);
    if (this.#lineage.held === undefined) {
      if (this.#machine.interpreter === undefined) this.#enter();
      else if (this.#lineage.takeMigration(marks)) this.#migrate();
      this.#drain();
      this.#mailbox.hasNews = false;
    }
    if (this.#hasEnded()) {
      this.#finish();
    } else if (this.#movesNow()) {
      this.#isMoving = true;
      this.#tryToMove();
    } else {
      this.#microtasks.after(this.#ticks.look, () => this.#look());
    }
  }

  #look(): void {
    const { held } = this.#lineage;
    if (!this.#mailbox.isEmpty && held === undefined) {
      this.#loop();
      return;
    }
    if (held === undefined) this.#settle();
    this.#isAsleep = true;
    if (this.#mailbox.hasNews || this.#isCancelled)
      this.#microtasks.after(this.#ticks.wakeAtOnce, () => this.#loop());
    else this.#isWaiting = true;
  }

  #hasEnded(): boolean {
    if (this.#isCancelled) return true;
    return this.#lineage.held === undefined && this.#machine.hasEnded;
  }

  #finish(): void {
    const step = this.steps.at(-1);
    this.#outbox.flush();
    if (step !== undefined) {
      this.#actors.stopAll(step);
      this.#timers.cancelAll(step);
    }
    this.#mailbox.clear();
    this.#isOver = true;
  }

  /** The history knows when the run makes way for the next one; the policy may have been another then. */
  #movesNow(): boolean {
    if (this.#hand.continuesAsNew) return true;
    const { commands } = this.#parts;
    const moves = commands.leftOf(this.#hand.task).filter(isParentMoves);
    for (const { event } of moves) {
      this.#moves.add(event.id);
      commands.take((command) => command.event === event);
    }
    return moves.length > 0;
  }

  /** Makes way once the children know of it, unless something has come meanwhile. */
  #tryToMove(): void {
    if (this.#moves.size > 0) return;
    this.#microtasks.after(this.#ticks.move, () => {
      this.#isMoving = false;
      if (!this.#mailbox.isEmpty) this.#loop();
      else if (this.#hand.continuesAsNew) this.#isOver = true;
      else this.#look();
    });
  }

  #drain(): void {
    if (this.#machine.hasMovedInside)
      this.#step(() => ({ type: 'inside', eventId: this.#hand.task.startedId }));
    for (let mail = this.#mailbox.next(); mail; mail = this.#mailbox.next()) {
      const { cause, take } = mail;
      this.#step((interpreter) => cause(take(interpreter) !== false));
      if (this.#machine.live.failure !== undefined) return;
    }
  }

  #enter(): void {
    const event = this.#startEvent;
    if (event === undefined) throw new Error('the history has no beginning');
    const { carried, input } = this.#start;
    const state = carried === undefined ? undefined : this.#lineage.carriedState(carried);
    const runId = textOf(event.attributes, 'continuedExecutionRunId');
    this.#step(() => {
      this.#machine.start(this.#start, state);
      return state === undefined
        ? { type: 'start', eventId: event.id, input }
        : { type: 'continued', eventId: event.id, fromRunId: runId };
    });
  }

  #migrate(): void {
    const { current, migration, before: from } = this.#lineage;
    const carried = this.#machine.live.carry();
    const step = this.steps.at(-1);
    if (step !== undefined) this.#timers.cancelAll(step);
    this.#step(() => {
      this.#machine.start(this.#start, migrateCarried(carried, current.prepared, migration, from));
      return { type: 'migration', eventId: this.#hand.task.completedId, from };
    });
  }

  #step(work: (interpreter: Interpreter) => Cause): void {
    const { step, actors, sends } = this.#machine.step(work);
    this.#actors.note(actors, step);
    this.#outbox.note(sends, step);
    this.#perform(step);
  }

  #perform(step: OpenStep): void {
    const { live } = this.#machine;
    for (const effect of live.takeEffects()) {
      switch (effect.type) {
        case 'stop':
          this.#actors.stop(effect.step, step);
          break;
        case 'delay':
          this.#timers.start(effect, step);
          break;
        case 'cancel':
          this.#timers.cancel(effect.key, step);
          break;
      }
    }
    step.emitted = live.takeEmitted().map(({ event }) => this.#machine.encoded(event, 'emitted event'));
  }

  /** Turns what was decided into commands, once the mailbox is empty. */
  #settle(): void {
    for (const start of this.#machine.live.takeStarts()) this.#actors.start(start);
    this.#outbox.flush();
  }

  #cancel(eventId: number): void {
    const event = { type: 'workflow.cancel' };
    if (this.#machine.interpreter?.can(event) === true && this.#lineage.held === undefined) {
      this.#mailbox.queue({
        cause: () => ({ type: 'cancel', eventId }),
        take: (interpreter) => interpreter.send(event),
      });
    } else {
      this.#isCancelled = true;
    }
  }
}

/** Lets what runs inside the workflow by promises come to rest. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
}
