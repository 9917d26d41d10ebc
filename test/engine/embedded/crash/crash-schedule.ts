import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RpcError } from '../../../../engine/embedded/protocol/rpc-error.ts';
import type { RunRef } from '../../../../engine/embedded/primitives/run-ref.ts';
import { seeded } from '../../../support/seeded.ts';
import { assert, kindOf } from './check-history.ts';
import { encodedHistory, randomUuid, standsAlone } from './histories.ts';
import { Commands, closeCommand } from './commands.ts';
import { EngineLife, NotTold } from './engine-life.ts';
import { FAULTS, type Fault, FaultDatabase, ProcessGone } from './fault-database.ts';
import { StandaloneClients } from './standalone.ts';
import { type FileImage, readImage, writeImage } from './file-image.ts';
import { allEvents, PromisesKept } from './promises-kept.ts';

const LIVES = 4;
const STEPS = 20;
const LONGEST_RUN_TASKS = 5;
const WORKFLOWS = ['w0', 'w1', 'w2', 'w3'];
const NAMESPACE = 'default';
/** In every other million of seeds there is an operator, too, who pauses runs and imports histories. */
export const FIRST_WITH_OPERATOR = 1_000_000;
/** From this seed on workers mostly wait for tasks before there are any, so that they get them in the commits that make them. */
export const FIRST_WITH_WAITING = 2_000_000;
/** From this seed on there are activities that belong to no workflow, too. */
export const FIRST_WITH_STANDALONE = 4_000_000;

/** What happened over some schedules: how often each fault struck, and how much was done. */
export type Tally = Record<Fault | 'answers' | 'commits' | 'pauses' | 'imports', number>;

/** A fault and the number of the commit at which it strikes, from 1. */
export interface Strike {
  readonly fault: Fault;
  readonly at: number;
}

/** The codes of answers that a caller may get while others change the same runs. */
const EXPECTED = new Set([3, 5, 6, 9]);

interface HeldActivity {
  readonly token: unknown;
  readonly runId: string;
  readonly activityId: string;
  readonly isStandalone: boolean;
}

/**
 * Some lives of an engine on one database: clients and a worker do this and that at random, several at once, and at one of
 * the commits of each life a fault strikes. After each life the file is opened again, and what was told is looked for. In the
 * end everything is served until nothing is pending and every run is closed.
 */
export class CrashSchedule {
  readonly #random: () => number;
  readonly #folder: string;
  readonly #tally: Tally;
  readonly #kept = new PromisesKept();
  readonly #commands: Commands;
  readonly #strike: Strike | undefined;
  #names = 0;
  #path = '';
  #lives = 0;
  #life: EngineLife;
  /** Requests that were not answered and are sent again. */
  #again: (() => Promise<void>)[] = [];
  #held: HeldActivity[] = [];
  /** A workflow task that a worker had when an engine ended. */
  #oldToken: unknown;
  #newToken: unknown;
  readonly #attempts = new Set<string>();
  readonly #tasksOf = new Map<string, number>();
  #draining = false;
  readonly #hasOperator: boolean;
  readonly #workersWait: boolean;
  readonly #hasStandalone: boolean;
  readonly #standalone: StandaloneClients;
  /** Runs that the operator asks to pause or unpause right now. */
  readonly #pausing = new Set<string>();

  /** @param strike what strikes in the one life that there is then, in place of random faults in several */
  constructor(seed: number, parent: string, empty: FileImage, tally: Tally, strike?: Strike) {
    this.#random = seeded(seed);
    this.#tally = tally;
    this.#strike = strike;
    this.#hasOperator = seed % FIRST_WITH_WAITING >= FIRST_WITH_OPERATOR;
    this.#workersWait = seed >= FIRST_WITH_WAITING;
    this.#hasStandalone = seed >= FIRST_WITH_STANDALONE;
    this.#standalone = new StandaloneClients({
      random: this.#random,
      fresh: (prefix) => this.#fresh(prefix),
      ask: (...call) => this.#ask(...call),
      again: (send) => void this.#again.push(send),
    });
    this.#folder = mkdtempSync(join(parent, 'steadyhand-crash-'));
    this.#commands = new Commands(this.#random, (prefix) => this.#fresh(prefix), WORKFLOWS);
    this.#life = this.#open(empty);
  }

  /** Answers how many commits the first life tried. */
  async run(): Promise<number> {
    let first = 0;
    try {
      const lives = this.#strike === undefined ? LIVES : 1;
      for (let life = 0; life < lives; life += 1) {
        for (let step = 0; step < STEPS && !this.#life.disk.isGone; step += 1) await this.#step();
        if (life === 0) first = this.#life.disk.commits;
        await this.#restart(this.#strike === undefined);
      }
      if (this.#strike === undefined) await this.#restart(false);
      await this.#drain();
    } finally {
      await this.#life.end();
      rmSync(this.#folder, { recursive: true });
    }
    return first;
  }

  #open(image: FileImage, isArmed = true): EngineLife {
    // Each life has a file of its own, because the driver may let go of one that was closed only later.
    this.#lives += 1;
    this.#path = join(this.#folder, `${this.#lives}.db`);
    writeImage(this.#path, image);
    const disk = new FaultDatabase(this.#path, this.#random, 1 + Math.floor(this.#random() * 40));
    if (isArmed) {
      const fault = FAULTS[Math.floor(this.#random() * FAULTS.length)] ?? 'before';
      const armed = this.#strike ?? { fault, at: 1 + Math.floor(this.#random() * 40) };
      disk.arm(armed.fault, armed.at);
    }
    const life = new EngineLife(disk);
    life.recover();
    return life;
  }

  /** Ends the engine, unless a fault has, and opens its file again. */
  async #restart(isArmed: boolean): Promise<void> {
    const { disk } = this.#life;
    if (disk.struck !== undefined) this.#tally[disk.struck] += 1;
    this.#tally.commits += disk.commits;
    // A kill between commits, when no fault has come.
    const image = disk.left ?? (this.#random() < 0.5 ? readImage(this.#path) : undefined);
    await this.#life.end();
    if (this.#random() < 0.5) jest.advanceTimersByTime(this.#random() * 20_000);
    this.#oldToken = this.#newToken;
    this.#newToken = undefined;
    this.#life = this.#open(image ?? readImage(this.#path), isArmed);
    // A fault may strike while work is taken up.
    if (this.#life.disk.isGone) {
      await this.#restart(false);
      return;
    }
    this.#life.parts.group.flush();
    if (this.#life.disk.isGone) await this.#restart(false);
    else this.#checkKept();
  }

  #checkKept(): void {
    this.#kept.check(this.#life);
    this.#standalone.check(this.#life);
  }

  async #step(): Promise<void> {
    const waiting =
      this.#workersWait && this.#random() < 0.8 ? [this.#workflowTask(), this.#activityTask()] : [];
    const calls = Array.from({ length: 1 + Math.floor(this.#random() * 3) }, () => this.#call());
    const ends = await Promise.allSettled([...waiting, ...calls]);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    if (!this.#life.disk.isGone && this.#random() < 0.03) this.#checkKept();
  }

  #call(): Promise<void> {
    if (this.#hasOperator && this.#random() < 0.15) {
      return this.#random() < 0.75 ? this.#pauseOrUnpause(this.#oneOf(this.#refs())) : this.#import();
    }
    if (this.#hasStandalone && this.#random() < 0.25) return this.#standalone.call(this.#life);
    const kind = this.#random();
    if (kind < 0.3) return this.#workflowTask();
    if (kind < 0.5) return this.#activityTask();
    if (kind < 0.6) return this.#heldActivity();
    if (kind < 0.7) return this.#start();
    if (kind < 0.82) return this.#signal();
    if (kind < 0.85) return this.#sendAgain();
    if (kind < 0.87) return this.#end('Terminate');
    if (kind < 0.885) return this.#end('Delete');
    if (kind < 0.9) return this.#lateAnswer();
    jest.advanceTimersByTime(this.#random() * 6000);
    return Promise.resolve();
  }

  /** Calls; undefined when the answer is an error that may be, or nobody was answered, which `lost` is told. */
  async #ask(
    method: string,
    request: object,
    lost?: () => void,
  ): Promise<Record<string, unknown> | undefined> {
    try {
      const answer = await this.#life.ask(method, { namespace: NAMESPACE, ...request });
      this.#tally.answers += 1;
      return answer;
    } catch (error) {
      if (error instanceof ProcessGone || error instanceof NotTold) lost?.();
      else if (!(error instanceof RpcError && EXPECTED.has(error.code))) throw error;
      return undefined;
    }
  }

  async #poll(kind: 'Workflow' | 'Activity'): Promise<Record<string, unknown> | undefined> {
    try {
      return await this.#life.poll(kind);
    } catch (error) {
      if (error instanceof ProcessGone || error instanceof NotTold) return undefined;
      throw error;
    }
  }

  async #start(): Promise<void> {
    const request = {
      workflowId: this.#oneOf(WORKFLOWS),
      requestId: this.#fresh('start'),
      workflowType: { name: 't' },
      taskQueue: { name: 'q' },
    };
    const send = async (): Promise<void> => {
      const answer = await this.#ask('StartWorkflowExecution', request, () => this.#again.push(send));
      if (answer) this.#kept.started.add(String(answer['runId']));
    };
    await send();
  }

  async #signal(): Promise<void> {
    const ref = this.#oneOf(this.#refs());
    if (!ref) return;
    const name = this.#fresh('signal');
    const { workflowId, runId } = ref;
    const request = { workflowExecution: { workflowId, runId }, signalName: name, requestId: name };
    const send = async (): Promise<void> => {
      const answer = await this.#ask('SignalWorkflowExecution', request, () => this.#again.push(send));
      if (answer) this.#kept.signals.push({ runId, name });
    };
    await send();
  }

  async #sendAgain(): Promise<void> {
    await this.#again.shift()?.();
  }

  async #end(how: 'Terminate' | 'Delete'): Promise<void> {
    const ref = this.#oneOf(this.#refs());
    if (!ref) return;
    const { workflowId, runId } = ref;
    if (how === 'Delete') {
      this.#kept.deletedWorkflows.add(workflowId);
      this.#kept.deleted.set(runId, this.#kept.deleted.get(runId) ?? false);
    }
    const answer = await this.#ask(`${how}WorkflowExecution`, { workflowExecution: { workflowId, runId } });
    if (answer && how === 'Delete') this.#kept.deleted.set(runId, true);
    else if (answer) this.#kept.ended.add(runId);
  }

  async #pauseOrUnpause(ref: RunRef | undefined): Promise<void> {
    if (!ref || this.#pausing.has(ref.runId)) return;
    const { workflowId, runId } = ref;
    const isPaused = this.#life.parts.runs.peek(ref)?.record.paused !== undefined;
    const { paused } = this.#kept;
    const request = { workflowId, runId, identity: 'operator', requestId: this.#fresh('pause') };
    this.#pausing.add(runId);
    const answer = await this.#ask(`${isPaused ? 'Unpause' : 'Pause'}WorkflowExecution`, request, () =>
      paused.delete(runId),
    );
    this.#pausing.delete(runId);
    if (!answer) return;
    paused.set(runId, !isPaused);
    this.#tally.pauses += 1;
  }

  /** Takes a copy of a run that there is, as if another service had written it. */
  async #import(): Promise<void> {
    const ref = this.#oneOf(this.#refs());
    const state = ref && this.#life.parts.runs.peek(ref);
    const events = state ? allEvents(state) : [];
    if (!standsAlone(events)) return;
    const execution = { workflowId: this.#fresh('import'), runId: randomUuid(this.#random) };
    const historyBatches = encodedHistory(events);
    const send = async (): Promise<void> => {
      // The engine would bring the deleted run back, as it should, and that would read as a deletion undone.
      if (this.#kept.deleted.has(execution.runId)) return;
      const lost = (): number => this.#again.push(send);
      const part = await this.#ask('ImportWorkflowExecution', { execution, historyBatches }, lost);
      if (!part) return;
      const answer = await this.#ask('ImportWorkflowExecution', { execution, token: part['token'] }, lost);
      if (!answer) return;
      this.#kept.imported.set(execution.runId, events.map(kindOf));
      this.#tally.imports += 1;
    };
    await send();
  }

  async #workflowTask(): Promise<void> {
    const task = await this.#poll('Workflow');
    if (!task) return;
    this.#newToken = task['taskToken'];
    if (!this.#draining && this.#random() < 0.1) return;
    const execution = task['workflowExecution'] as { workflowId: string; runId: string };
    const state = this.#life.parts.runs.peek({ namespace: NAMESPACE, ...execution });
    if (!state?.isRunning) return;
    const tasks = (this.#tasksOf.get(execution.runId) ?? 0) + 1;
    this.#tasksOf.set(execution.runId, tasks);
    const { activities, timers, children } = state.pending;
    const isIdle = activities.size + timers.size + children.size === 0;
    const commands = this.#draining || tasks > LONGEST_RUN_TASKS ? [] : this.#someCommands(state);
    if (isIdle && commands.length === 0) commands.push(closeCommand);
    const answer = await this.#ask('RespondWorkflowTaskCompleted', {
      taskToken: task['taskToken'],
      commands,
      returnNewWorkflowTask: false,
    });
    for (const eager of (answer?.['activityTasks'] ?? []) as Record<string, unknown>[]) this.#hold(eager);
  }

  #someCommands(state: Parameters<Commands['next']>[0]): ReturnType<Commands['next']>[] {
    return Array.from({ length: Math.floor(this.#random() * 5) }, () => this.#commands.next(state));
  }

  /** Answers a task that a worker had before the last restart: since then another has it, or it is over. */
  async #lateAnswer(): Promise<void> {
    const taskToken = this.#oldToken;
    this.#oldToken = undefined;
    if (taskToken === undefined) return;
    const answer = await this.#ask('RespondWorkflowTaskCompleted', { taskToken, commands: [closeCommand] });
    assert(answer === undefined, 'a worker that had lost its task was heard');
  }

  async #activityTask(): Promise<void> {
    const task = await this.#poll('Activity');
    if (!task) return;
    this.#hold(task);
    if (this.#draining || this.#random() < 0.7) await this.#heldActivity();
  }

  #hold(task: Record<string, unknown>): void {
    const isStandalone = typeof task['activityRunId'] === 'string';
    const runId = isStandalone
      ? String(task['activityRunId'])
      : (task['workflowExecution'] as { runId: string }).runId;
    const activityId = String(task['activityId']);
    const attempt = `${runId} ${activityId} ${String(task['attempt'])}`;
    assert(!this.#attempts.has(attempt), `two workers got the attempt ${attempt}`);
    this.#attempts.add(attempt);
    this.#held.push({ token: task['taskToken'], runId, activityId, isStandalone });
  }

  /** Reports on an activity that a worker has had for a while, perhaps since before a restart. */
  async #heldActivity(): Promise<void> {
    const held = this.#held.pop();
    if (!held) return;
    const { token: taskToken, runId, activityId, isStandalone } = held;
    const kind = this.#draining ? 0 : this.#random();
    if (kind < 0.6) {
      const answer = await this.#ask('RespondActivityTaskCompleted', { taskToken });
      if (answer && isStandalone) this.#standalone.wasCompleted(runId);
      else if (answer) this.#kept.completed.push({ runId, activityId });
    } else if (kind < 0.75) {
      await this.#ask('RespondActivityTaskFailed', { taskToken, failure: { message: 'failed' } });
    } else if (kind < 0.85) {
      await this.#ask('RecordActivityTaskHeartbeat', { taskToken });
      this.#held.unshift(held);
    } else {
      this.#held.unshift(held);
    }
  }

  /** Serves everything, without faults, until every run is closed. Whatever was lost would keep one open. */
  async #drain(): Promise<void> {
    this.#draining = true;
    for (let round = 0; this.#stillOpen().length > 0; round += 1) {
      assert(round < 60, `still open: ${this.#stillOpen().join()}`);
      while (this.#again.length > 0) await this.#sendAgain();
      for (const ref of this.#openRuns()) {
        if (this.#life.parts.runs.peek(ref)?.record.paused) await this.#pauseOrUnpause(ref);
      }
      await this.#standalone.unpauseAll(this.#life);
      for (let task = 0; task < 12; task += 1) {
        await this.#workflowTask();
        await this.#activityTask();
      }
      jest.advanceTimersByTime(10_000);
      if (round % 4 !== 3) continue;
      // A run that nothing is pending in waits to be woken.
      for (const { workflowId, runId } of this.#openRuns()) {
        const signalName = this.#fresh('wake');
        await this.#ask('SignalWorkflowExecution', { workflowExecution: { workflowId, runId }, signalName });
      }
    }
    this.#checkKept();
    await this.#checkListing();
    await this.#standalone.checkListing(this.#life);
  }

  async #checkListing(): Promise<void> {
    const listed = await this.#life.ask('ListWorkflowExecutions', { namespace: NAMESPACE, query: '' });
    const runIds = (listed['executions'] as { execution: { runId: string } }[]).map(
      ({ execution }) => execution.runId,
    );
    const found = runIds.toSorted().join();
    const wanted = this.#refs().map(({ runId }) => runId);
    assert(found === wanted.toSorted().join(), 'what is listed is not what is there');
  }

  /** The ids of what is not over. */
  #stillOpen(): string[] {
    return [
      ...this.#openRuns().map(({ workflowId }) => workflowId),
      ...this.#standalone.open(this.#life).map(({ ref }) => ref.activityId),
    ];
  }

  #openRuns(): RunRef[] {
    return this.#refs().filter((ref) => this.#life.parts.runs.peek(ref)?.isRunning);
  }

  #refs(): RunRef[] {
    return this.#life.refs();
  }

  #fresh(prefix: string): string {
    this.#names += 1;
    return `${prefix} ${this.#names}`;
  }

  #oneOf<T>(all: readonly T[]): T | undefined {
    return all[Math.floor(this.#random() * all.length)];
  }
}
