import type { ActorStart } from '../../core/effect.ts';
import { requireJson } from '../../workflow/activity-input.ts';
import { localActivityOf } from './command-index.ts';
import { outcomeOf, type Outcome } from './event-outcome.ts';
import type { EffectName, StartedEffect } from './explanation.ts';
import { fieldsOf, type HistoryEvent } from './history-event.ts';
import { noteEvent, type OpenStep } from './open-step.ts';
import { errorOf } from './payloads.ts';
import type { ReplayParts } from './replay-parts.ts';

interface Running {
  readonly start: ActorStart;
  readonly name: EffectName;
  readonly type: 'activity' | 'local activity' | 'child';
  readonly eventId: number;
  /** The number that the SDK gives a local activity. */
  readonly seq: number;
  /** The macrostep by which it came to be. */
  readonly by: OpenStep | undefined;
  startedAt: number | undefined;
}

/** The activities and children that are running, with the events by which they began. */
export class HistoryActors {
  readonly #parts: ReplayParts;
  readonly #running = new Map<number, Running>();
  readonly #starters = new Map<string, OpenStep>();
  /** Actors started in this task that the history has no event of. One that is stopped in the same task has none. */
  readonly #unmatched = new Map<number, string>();
  #seq = 0;

  constructor(parts: ReplayParts) {
    this.#parts = parts;
  }

  get running(): readonly StartedEffect[] {
    return [...this.#running.values()].map(({ name, type, eventId, start }) => ({
      ...name,
      type,
      input: this.#parts.machine.encoded(start.input, 'input'),
      eventId,
    }));
  }

  nameOf(step: number): EffectName {
    return this.#running.get(step)?.name ?? { id: '', src: '', step };
  }

  pathOf(step: number): readonly string[] {
    return this.#running.get(step)?.start.path ?? [];
  }

  /** Notes by which macrostep actors came to be. */
  note(ids: readonly string[], step: OpenStep): void {
    for (const id of ids) this.#starters.set(id, step);
  }

  start(start: ActorStart): void {
    const { machine, microtasks } = this.#parts;
    const { step, path, source, input, isAttached = false } = start;
    const { spec } = source;
    const isChild = spec.kind === 'child-machine' || spec.kind === 'child-workflow';
    const isLocal = spec.kind === 'local-activity' || this.#triesLocally(start);
    const type = isChild ? 'child' : isLocal ? 'local activity' : 'activity';
    const name: EffectName = { id: path.join('/'), src: source.name, step };
    const problem = isAttached ? undefined : this.#problemOf(start);
    const seq = isChild || problem !== undefined ? 0 : ++this.#seq;
    const eventId = isAttached || problem !== undefined ? 0 : this.#match(start, type, seq);
    const macrostep = this.#starters.get(path.at(-1) ?? '') ?? machine.steps.at(-1);
    this.#running.set(step, { start, name, type, eventId, seq, by: macrostep, startedAt: undefined });
    if (isAttached) return;
    macrostep?.started.push({ ...name, type, input: machine.encoded(input, 'input'), eventId });
    if (macrostep !== undefined) noteEvent(macrostep, eventId);
    if (problem !== undefined) {
      microtasks.after(this.#parts.ticks.badInput, () => this.settle(step, { error: problem }, 0));
    }
  }

  stop(actor: number, step: OpenStep): void {
    const running = this.#running.get(actor);
    if (running === undefined) return;
    this.#running.delete(actor);
    const { name, type, eventId, start } = running;
    const { commands } = this.#parts;
    const cancel =
      type === 'child'
        ? commands.cancelOf('child', this.#childId(start))
        : commands.cancelOf('activity', String(eventId));
    noteEvent(step, cancel?.id ?? 0);
    step.stopped.push({ ...name, type, eventId: cancel?.id ?? 0 });
  }

  stopAll(step: OpenStep): void {
    for (const actor of this.#running.keys()) this.stop(actor, step);
  }

  /** Queues how an actor has ended, unless it was stopped before. */
  settle(step: number, outcome: Outcome, eventId: number): void {
    const running = this.#running.get(step);
    if (running === undefined) return;
    this.#running.delete(step);
    const { machine, mailbox } = this.#parts;
    const actor = running.name;
    mailbox.queue({
      cause: () =>
        'output' in outcome
          ? { type: 'done', eventId, actor, output: outcome.output }
          : { type: 'error', eventId, actor, error: machine.encoded(outcome.error, 'error') },
      take: (interpreter) => interpreter.settle(step, outcome),
    });
  }

  /** @param scheduled The event by which the activity was scheduled. */
  activityEnded(event: HistoryEvent, scheduled: number): void {
    this.#ended(event, this.#runningOf(scheduled), this.#parts.ticks.activity);
  }

  childStarted(initiated: number): void {
    const running = this.#runningOf(initiated);
    if (running !== undefined) running.startedAt = this.#parts.hand.task.completedId;
  }

  /** @param initiated The event by which the child was asked for. */
  childEnded(event: HistoryEvent, initiated: number): void {
    const running = this.#runningOf(initiated);
    const isAtOnce = running?.startedAt === this.#parts.hand.task.completedId;
    const { ticks } = this.#parts;
    this.#ended(event, running, isAtOnce ? ticks.childAtOnce : ticks.child);
  }

  /** A local activity answers within the task, in an activation of its own. One that was stopped is recorded, too. */
  localActivityEnded(event: HistoryEvent): void {
    const { commands, microtasks, ticks } = this.#parts;
    const local = localActivityOf(event);
    commands.take((command) => command.event === event);
    if (local === undefined) return;
    const ofType = [...this.#running.values()].filter(
      ({ type, start }) => type === 'local activity' && typeNameOf(start.source.spec) === local.name,
    );
    const running = ofType.find(({ seq }) => seq === local.seq) ?? ofType[0];
    if (running === undefined) return;
    for (const started of running.by?.started ?? []) {
      if (started.type === 'local activity' && started.step === running.start.step)
        Object.assign(started, { eventId: event.id });
    }
    const failure = fieldsOf(event.attributes, 'failure');
    const hasFailed = Object.keys(failure).length > 0;
    if (!this.#triesLocally(running.start)) {
      const outcome = hasFailed ? { error: errorOf(failure) } : { output: local.result };
      microtasks.after(ticks.localActivity, () => this.settle(running.start.step, outcome, event.id));
      return;
    }
    // The activity that may follow waits for it by one promise more.
    microtasks.after(ticks.localActivity + 1, () => {
      if (hasFailed) this.#goOnAsActivity(running);
      else this.settle(running.start.step, { output: local.result }, event.id);
    });
  }

  #triesLocally({ source: { spec } }: ActorStart): boolean {
    return spec.kind === 'activity' && spec.locally !== undefined && this.#parts.machine.triesLocally;
  }

  #goOnAsActivity(running: Running): void {
    const { start } = running;
    if (this.#running.get(start.step) !== running) return;
    const seq = ++this.#seq;
    const eventId = this.#match(start, 'activity', seq);
    this.#running.set(start.step, { ...running, type: 'activity', eventId, seq });
  }

  /** @throws DivergenceError for an actor that the history has not started. */
  requireMatched(): void {
    for (const [step, what] of this.#unmatched) {
      if (this.#running.has(step))
        this.#parts.hand.part(`the machine starts the ${what}, the history does not`);
    }
    this.#unmatched.clear();
  }

  #ended(event: HistoryEvent, running: Running | undefined, ticks: number): void {
    if (running === undefined) return;
    const { step } = running.start;
    this.#parts.microtasks.after(ticks, () => this.settle(step, outcomeOf(event), event.id));
  }

  #runningOf(eventId: number): Running | undefined {
    return [...this.#running.values()].find((running) => running.eventId === eventId);
  }

  /** Why the input cannot be sent. */
  #problemOf({ source, input }: ActorStart): unknown {
    const { spec, name } = source;
    try {
      if (spec.kind === 'activity' || spec.kind === 'local-activity')
        requireJson(input, `input of '${name}'`);
      else this.#parts.machine.live.encode(input, `input of '${name}'`);
      return undefined;
    } catch (error) {
      return error;
    }
  }

  #match(start: ActorStart, type: Running['type'], seq: number): number {
    const { commands, definition, hand } = this.#parts;
    // The marker of a local activity comes with its outcome.
    if (type === 'local activity') return 0;
    const { step, source } = start;
    const id = this.#childId(start);
    const found = commands.take(({ kind, ...command }) => {
      if (kind !== type) return false;
      if (type === 'child') return command.id === id;
      return command.step === undefined
        ? command.id === String(seq) && hand.has(command.event)
        : command.step === step;
    });
    const isSaid = definition.actors !== undefined;
    const wanted = typeNameOf(source.spec);
    const what = `${type} '${isSaid ? wanted : source.name}' as number ${step}`;
    if (found === undefined) {
      this.#unmatched.set(step, what);
      return 0;
    }
    if (!hand.owns(found.event))
      hand.part(`the machine starts the ${what} here, the history later or earlier`, found.event.id);
    if (isSaid && found.name !== wanted)
      hand.part(`the machine starts the ${what}, the history has '${found.name}'`, found.event.id);
    return found.event.id;
  }

  #childId({ path, step }: ActorStart): string {
    return `${this.#parts.workflowId}/${path.join('/')}/${step}`;
  }
}

const typeNameOf = (spec: ActorStart['source']['spec']): string =>
  'workflowType' in spec ? spec.workflowType : spec.name;
