import { allHandlersFinished, ApplicationFailure, CancelledFailure, condition } from '@temporalio/workflow';
import { ChangesLog } from '../core/changes-log.ts';
import type { EventDoor } from '../core/event-door.ts';
import type { Interpreter } from '../core/interpreter.ts';
import { MachineError } from '../core/machine-error.ts';
import {
  HELD_STATE,
  type ChangesView,
  type MachineSnapshotView,
  type MachineState,
} from '../core/messages.ts';
import { migrateCarried } from '../core/migration.ts';
import type { ActorMessage } from './actor-message.ts';
import { Admission } from './admission.ts';
import type { ContinueAsNewPolicy } from './continue-as-new-policy.ts';
import { Answer } from './answer.ts';
import type { BareScope } from './bare-scope.ts';
import { Continuation } from './continuation.ts';
import { eventNotAccepted, failureOf, shownOr } from './failures.ts';
import type { KnownMachine, Lineage } from './lineage.ts';
import type { CarriedRun, MachineStart } from './machine-start.ts';
import { liveView, stateOf } from './machine-view.ts';
import type { Mail } from './mail.ts';
import { newInterpreter } from './new-interpreter.ts';
import { News } from './news.ts';
import { Outbox } from './outbox.ts';
import { ParentLink } from './parent-link.ts';
import { PendingTimers } from './pending-timers.ts';
import { PublishedState } from './published-state.ts';
import { RunningActors, signalActor } from './running-actors.ts';

/** What ended a run: the machine's output, or the state to continue with. */
type RunEnd =
  | { readonly type: 'done'; readonly output: unknown }
  | { readonly type: 'continue'; readonly carried: CarriedRun };

interface MachineRunOptions {
  readonly lineage: Lineage;
  readonly policy: ContinueAsNewPolicy;
  readonly door: EventDoor;
  readonly start: MachineStart;
  readonly maxMicrosteps: number | undefined;
  /** The scope that the run is in, wherever its events come from. */
  readonly home: BareScope;
}

/** One run of a machine: it takes events one by one and turns the effects of each macrostep into commands. */
export class MachineRun {
  readonly #options: MachineRunOptions;
  readonly #actors: RunningActors;
  readonly #timers: PendingTimers;
  readonly #changes: ChangesLog;
  readonly #outbox = new Outbox();
  #interpreter: Interpreter | undefined;
  #mailbox: Mail[] = [];
  readonly #published: PublishedState;
  readonly #admission: Admission;
  readonly #parent: ParentLink | undefined;
  readonly #continuation: Continuation;
  readonly #news = new News();
  #isMoving = false;
  /** The loop waits for news. */
  #isAsleep = false;
  #hasTaken = false;
  #cancelled = false;

  constructor(options: MachineRunOptions) {
    this.#options = options;
    const { carried, parent, continueAfter: after } = options.start;
    this.#continuation = new Continuation({ ...options.policy, ...(after === undefined ? {} : { after }) });
    this.#published = new PublishedState(options.start);
    this.#admission = new Admission(options.door, carried?.refused);
    this.#parent = parent && new ParentLink(parent, carried?.reportsEnd ?? false);
    this.#changes = new ChangesLog(carried?.changes);
    this.#actors = new RunningActors({
      settled: (step, outcome) => {
        this.#queue({ type: 'settle', step, outcome });
        this.#hurry();
      },
      encode: (value, where) => this.#live.encode(value, where),
      heartbeatTimeout: options.start.heartbeatTimeout,
      triesLocally: options.lineage.triesLocally(options.start.triesLocally === true),
      isIdentified: options.lineage.isIdentified,
    });
    this.#timers = new PendingTimers(
      (key) => this.#queue({ type: 'due', key }),
      options.lineage.isIdentified,
    );
  }

  /** Queues what a client sends without waiting, where it may be sent. */
  post(event: unknown): void {
    this.postAs(() => event);
  }

  /** Queues the event that a signal of another name stands for. */
  postAs(eventOf: () => unknown, name?: string): void {
    const event = this.#admission.admitSignal(eventOf, name);
    if (event !== undefined) this.#queue({ type: 'event', event });
  }

  /**
   * Throws when a client may not send the event, or when the machine has no transition for it now.
   *
   * @throws ApplicationFailure of type `InvalidEvent`, `EventNotAccepted` or `MachineHeld`.
   */
  requireAccepted(event: unknown): void {
    const admitted = this.#admission.admit(event);
    this.requireFree();
    if (this.#interpreter !== undefined && !this.#interpreter.can(admitted)) {
      throw eventNotAccepted(admitted, this.state().state);
    }
  }

  /**
   * Takes an event and answers with the state it led to.
   *
   * @throws ApplicationFailure when the machine does not take it any more, or fails by it.
   */
  ask(event: unknown): MachineState | Promise<MachineState> {
    const admitted = this.#admission.admit(event);
    const answer = new Answer();
    const mail: Mail = { type: 'event', event: admitted, settled: (outcome) => answer.settle(outcome) };
    if (this.#isQuiet) {
      this.#mailbox.push(mail);
      this.#turnAtOnce();
    } else {
      this.#queue(mail);
    }
    return answer.value;
  }

  /** Takes what the workflow of another machine says. */
  hear(message: ActorMessage): void {
    switch (message.type) {
      case 'event':
        this.#queue(message);
        break;
      case 'state':
        this.#queue({ type: 'state', message });
        break;
      case 'end':
      case 'failure':
        // The first events of a run may come before it knows its actors.
        if (!this.#settleChild(message)) this.#queue({ type: 'end', message });
        break;
      case 'parent-moves':
        this.#parent?.move();
        break;
      case 'wake':
        this.#news.tell();
        break;
    }
  }

  /** Sends `workflow.cancel` to the machine where it has a transition for that; else ends the run as cancelled. */
  cancel(): void {
    const event = { type: 'workflow.cancel' };
    if (this.#interpreter?.can(event) === true && this.#options.lineage.held === undefined) {
      this.#queue({ type: 'event', event });
    } else {
      this.#cancelled = true;
      this.#news.tell();
    }
  }

  /**
   * Throws while the run is held: nobody knows for how long.
   *
   * @throws ApplicationFailure of type `MachineHeld`.
   */
  requireFree(): void {
    const { held } = this.#options.lineage;
    if (held !== undefined) throw ApplicationFailure.nonRetryable(held.reason, 'MachineHeld');
  }

  /** Whether whoever waits for a state is to be answered, as the run is about to end or is held. */
  get isOver(): boolean {
    const isHeld = this.#options.lineage.held !== undefined;
    return this.#isMoving || this.#cancelled || isHeld || this.state().status !== 'active';
  }

  /** The run is about to continue as new, and the next one is to be asked. */
  get isMoving(): boolean {
    return this.#isMoving;
  }

  state(): MachineState {
    // The state that a held run has by another machine than its own would be a guess.
    if (this.#options.lineage.held !== undefined)
      return { value: {}, state: HELD_STATE, status: 'active', tags: [] };
    if (this.#interpreter === undefined) return { value: {}, state: '', status: 'active', tags: [] };
    return stateOf(this.#interpreter);
  }

  view(): MachineSnapshotView {
    const { lineage } = this.#options;
    const { held } = lineage;
    const base = {
      ...this.state(),
      events: [],
      actors: [],
      delays: [],
      machine: lineage.identity,
      ...(held === undefined ? {} : { held }),
      ...this.#admission.refusals,
    };
    const interpreter = this.#interpreter;
    return interpreter === undefined || held !== undefined
      ? { ...base, context: null }
      : { ...base, ...liveView(interpreter) };
  }

  get machineNow(): { readonly known: KnownMachine; readonly interpreter: Interpreter | undefined } {
    return { known: this.#options.lineage.current, interpreter: this.#interpreter };
  }

  changes(cursor: number): ChangesView {
    return this.#changes.since(cursor);
  }

  /** Takes events until the machine is done or the run has to continue as new. */
  async run(): Promise<RunEnd> {
    for (;;) {
      // Without an await in between: cancellations become commands in the next microtask, which is after the starts of `settle`.
      if (this.#turn()) {
        const end = await this.#end();
        if (end !== undefined) return end;
        continue;
      }
      this.#isAsleep = true;
      await this.#news.next();
      this.#isAsleep = false;
    }
  }

  /** Takes all that has come. Answers whether the run is about to end. */
  #turn(): boolean {
    const { lineage } = this.#options;
    this.#news.clear();
    lineage.decide();
    if (lineage.held === undefined) {
      if (this.#interpreter === undefined) this.#begin();
      else if (lineage.takeMigration()) this.#migrate();
      this.#drain();
      this.#news.clear();
    }
    if (this.#isEnding()) return true;
    if (lineage.held === undefined) this.#settle();
    else this.#published.showHeld(lineage.held);
    return false;
  }

  /**
   * Takes the outcome of the only actor at once, as nothing else is under way. Runs that versions before 0.2 began keep the order
   * of commands that those recorded.
   */
  #hurry(): void {
    if (this.#actors.areNone && this.#timers.areNone && this.#outbox.isEmpty && allHandlersFinished()) {
      if (this.#isQuiet) this.#turnAtOnce();
    }
  }

  /** Takes what has come while the loop sleeps on, and wakes it only to end. */
  #turnAtOnce(): void {
    this.#isAsleep = false;
    this.#options.home.within(() => {
      try {
        if (this.#turn()) this.#news.tell();
        this.#isAsleep = true;
      } catch (error) {
        this.#news.fail(error);
      }
    });
  }

  /** Whether the loop waits, and what comes may be taken where it comes. */
  get #isQuiet(): boolean {
    const { lineage } = this.#options;
    const isFree = lineage.isIdentified && lineage.held === undefined && !this.#cancelled;
    return this.#isAsleep && isFree;
  }

  #queue(mail: Mail): void {
    this.#mailbox.push(mail);
    this.#news.tell();
  }

  /** Answers whether the child was still running. */
  #settleChild(message: ActorMessage & { type: 'end' | 'failure' }): boolean {
    const outcome = message.type === 'end' ? { output: message.output } : { error: message.error };
    return this.#actors.settle(message.step, outcome);
  }

  get #live(): Interpreter {
    if (this.#interpreter === undefined) throw new Error('the machine has not been started');
    return this.#interpreter;
  }

  #begin(): void {
    const { start, lineage } = this.#options;
    this.#interpreter = this.#newInterpreter(start.carried && lineage.carriedState(start.carried));
    this.#interpreter.start();
    // The history that is being replayed was made by another machine; only a worker that knows that one can go on.
    const { failure } = this.#interpreter;
    if (failure !== undefined && start.carried !== undefined && lineage.obstacle !== undefined) {
      throw new Error(lineage.obstacle.reason, { cause: failure });
    }
    // The end of such an actor may be in the mailbox already.
    for (const attached of this.#interpreter.takeAttached()) this.#actors.start(attached);
    this.#perform();
  }

  #newInterpreter(carried: CarriedRun | undefined): Interpreter {
    return newInterpreter(this.#options, carried, () => this.#news.tell());
  }

  /** Goes on as the newest machine, with the actors and delays that there are. */
  #migrate(): void {
    const { lineage } = this.#options;
    const carried = this.#live.carry();
    this.#timers.cancelAll();
    this.#interpreter = this.#newInterpreter(
      migrateCarried(carried, lineage.current.prepared, lineage.migration, lineage.before),
    );
    this.#interpreter.start();
    this.#perform();
  }

  #drain(): void {
    // An actor within the workflow may have moved the machine since, without any mail.
    this.#perform();
    for (let mail = this.#mailbox.shift(); mail; mail = this.#mailbox.shift()) {
      this.#take(mail);
      this.#perform();
      if (this.#live.failure !== undefined) return;
    }
  }

  #take(mail: Mail): void {
    const interpreter = this.#live;
    this.#hasTaken = true;
    switch (mail.type) {
      case 'settle':
        interpreter.settle(mail.step, mail.outcome);
        break;
      case 'due':
        interpreter.due(mail.key);
        break;
      case 'state':
        interpreter.showChild(mail.message.step, mail.message.state);
        break;
      case 'end':
        this.#settleChild(mail.message);
        break;
      case 'event': {
        const { event, path, settled } = mail;
        if (settled !== undefined && !interpreter.can(event)) {
          settled(eventNotAccepted(event, this.state().state));
          break;
        }
        interpreter.send(event, path);
        settled?.(
          interpreter.failure === undefined ? this.state() : failureOf(interpreter.failure, interpreter),
        );
      }
    }
  }

  /** Turns what must not wait into commands, and notes what a subscriber sees. */
  #perform(): void {
    const interpreter = this.#live;
    for (const effect of interpreter.takeEffects()) {
      switch (effect.type) {
        case 'stop':
          this.#actors.stop(effect.step);
          break;
        case 'delay':
          this.#timers.start(effect.key, effect.ms);
          break;
        case 'cancel':
          this.#timers.cancel(effect.key);
          break;
      }
    }
    this.#changes.noteState(this.state(), Date.now());
    for (const emitted of interpreter.takeEmitted()) {
      this.#changes.noteEmitted(
        emitted,
        shownOr(() => interpreter.encode(emitted.event, 'emitted event')),
      );
    }
  }

  #isEnding(): boolean {
    if (this.#cancelled) return true;
    if (this.#options.lineage.held !== undefined || this.#interpreter === undefined) return false;
    if (this.#hasEnded) return true;
    return this.#isTimeToContinue() && this.#carry() !== undefined;
  }

  get #hasEnded(): boolean {
    const { failure, snapshot } = this.#live;
    return failure !== undefined || snapshot.status !== 'active';
  }

  /** Ends the run; undefined when something came meanwhile that it has to take first. */
  async #end(): Promise<RunEnd | undefined> {
    if (this.#cancelled) {
      this.#stop();
      this.#refuseWaiting();
      await condition(allHandlersFinished);
      throw new CancelledFailure('Workflow cancelled');
    }
    this.#flush();
    this.#published.show(this.state());
    this.#isMoving = true;
    await Promise.all([...(this.#hasEnded ? [] : [this.#actors.attachChildren()]), this.#outbox.sent()]);
    // An update that came meanwhile waits for this loop, and would be waited for in vain.
    await condition(() => allHandlersFinished() || this.#mailbox.length > 0);
    if (this.#hasEnded) return await this.#finish();
    const carried = this.#mailbox.length === 0 ? this.#carry() : undefined;
    if (carried !== undefined) return { type: 'continue', carried };
    this.#isMoving = false;
    return undefined;
  }

  async #finish(): Promise<RunEnd> {
    while (!allHandlersFinished()) {
      this.#refuseWaiting();
      await condition(() => allHandlersFinished() || this.#mailbox.length > 0);
    }
    this.#stop();
    const { error, output } = this.#outcome();
    await this.#parent?.reportEnd(error, output);
    if (error !== undefined) throw error;
    return { type: 'done', output };
  }

  #outcome(): { readonly error?: ApplicationFailure; readonly output?: unknown } {
    const interpreter = this.#live;
    const { failure, snapshot, machine } = interpreter;
    if (failure !== undefined) return { error: failureOf(failure, interpreter) };
    if (snapshot.output === undefined) return {};
    try {
      return { output: interpreter.encode(snapshot.output, 'output') };
    } catch (cause) {
      return { error: failureOf(new MachineError(machine.id, cause), interpreter) };
    }
  }

  /** Whoever asked after the machine had ended is told so. */
  #refuseWaiting(): void {
    for (const mail of this.#mailbox) {
      if (mail.type === 'event') mail.settled?.(eventNotAccepted(mail.event, this.state().state));
    }
    this.#mailbox = [];
  }

  /** Turns what was decided into commands, once the mailbox is empty. */
  #settle(): void {
    for (const start of this.#live.takeStarts()) this.#actors.start(start);
    this.#flush();
    this.#published.show(this.state());
    this.#parent?.tell(this.#live, this.#outbox);
  }

  #flush(): void {
    for (const { to, event } of this.#interpreter?.takeOutgoing() ?? []) {
      if ('step' in to) this.#outbox.send(`child ${to.step}`, () => this.#actors.send(to.step, event));
      else this.#outbox.send(`workflow ${to.workflowId}`, () => signalActor(to, event));
    }
  }

  #isTimeToContinue(): boolean {
    // A run that continued as new before it took anything would do so for ever.
    return this.#hasTaken && this.#continuation.isDue(this.#live, this.#actors);
  }

  /** What the next run goes on with; undefined when it cannot be handed over, now or ever. */
  #carry(): CarriedRun | undefined {
    const carry = (): CarriedRun => ({
      ...this.#live.carry(),
      ...this.#published.carry(),
      machine: this.#options.lineage.identity,
      changes: this.#changes.carry(),
      ...this.#admission.refusals,
      ...(this.#parent?.hasMoved === true ? { reportsEnd: true } : {}),
    });
    return this.#continuation.carried(this.#live, carry, () => this.state().state);
  }

  #stop(): void {
    this.#actors.stopAll();
    this.#timers.cancelAll();
  }
}
