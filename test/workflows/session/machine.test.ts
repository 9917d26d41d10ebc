import type { AnyEventObject } from 'xstate';
import type { ToolCall } from '../../../contracts/session-activities.ts';
import { testActor, type TestActor } from '../../../statechart/client/test-actor.ts';
import type { SessionEvent } from '../../../workflows/session/events.ts';
import type { SessionContext } from '../../../workflows/session/context.ts';
import { sessionMachine } from '../../../workflows/session/machine.ts';

/** A session’s machine driven by hand: answers for its actors, user events with rising numbers. */
class Drive {
  readonly actor: TestActor<typeof sessionMachine>;
  #seq = 0;

  constructor(input: { readonly resume?: boolean } = {}) {
    this.actor = testActor(sessionMachine, { input: { session: 'sesn_1', epoch: 1, ...input } });
  }

  get state(): string {
    return this.actor.state;
  }

  get context(): SessionContext {
    return this.actor.context;
  }

  /** The sources that were started, in their order. */
  get started(): readonly string[] {
    return this.#traced('start');
  }

  get stopped(): readonly string[] {
    return this.#traced('stop');
  }

  user(event: { type: SessionEvent['type'] } & Record<string, unknown>): string {
    return this.tell({ seq: ++this.#seq, ...event });
  }

  tell(event: AnyEventObject): string {
    return this.actor.send(event as SessionEvent);
  }

  answers(source: string, output?: unknown): string {
    return this.actor.resolve(source, output);
  }

  fails(source: string, type: string | null, message: string): string {
    return this.actor.reject(source, Object.assign(new Error(message), type === null ? {} : { name: type }));
  }

  takes(event: AnyEventObject): boolean {
    return this.actor.can(event as SessionEvent);
  }

  elapses(): string {
    this.actor.advanceToNext();
    return this.state;
  }

  asksFor(...calls: ToolCall[]): string {
    return this.answers('requestModel', { type: 'tools', calls });
  }

  #traced(type: 'start' | 'stop'): readonly string[] {
    return this.actor.trace.flatMap((entry) => (entry.type === type ? [entry.source] : []));
  }
}

const run = (id: string): ToolCall => ({ id, decision: 'allow' });
const ask = (id: string): ToolCall => ({ id, decision: 'ask' });
/** Answers that the failure stands in the event log. */
const report = (drive: Drive): string => drive.answers('failTurn', { type: 'idle', cursor: 9 });
const busy = (): Drive => {
  const drive = new Drive();
  drive.user({ type: 'user.message' });
  return drive;
};

describe('the agent loop', () => {
  test('request, tool_use, tool_result, request, end, idle', () => {
    const drive = new Drive();
    expect(drive.state).toBe('idle');
    expect(drive.user({ type: 'user.message' })).toBe('request.asking');
    expect(drive.asksFor(run('a'))).toBe('tool_use.running');
    expect(drive.answers('runTool', { type: 'done' })).toBe('tool_result');
    expect(drive.answers('appendResult')).toBe('request.asking');
    expect(drive.context.turns).toBe(1);
    expect(drive.answers('requestModel', { type: 'end' })).toBe('end');
    expect(drive.answers('endTurn', { type: 'idle', cursor: 9 })).toBe('idle');
    expect(drive.context).toMatchObject({ turns: 0, ending: null, queue: [] });
  });

  test('several tool uses of one reply run one after the other, each with its own result', () => {
    const drive = busy();
    drive.asksFor(run('a'), run('b'));
    drive.answers('runTool', { type: 'done' });
    expect(drive.answers('appendResult')).toBe('tool_use.running');
    expect(drive.context.queue).toEqual([run('b')]);
    drive.answers('runTool', { type: 'done' });
    expect(drive.answers('appendResult')).toBe('request.asking');
  });

  test('an unknown outcome is looked at, never done again', () => {
    const drive = busy();
    drive.asksFor(run('a'));
    expect(drive.answers('runTool', { type: 'unknown' })).toBe('verifying');
    expect(drive.answers('look')).toBe('tool_result');
    expect(drive.started.filter((src) => src === 'runTool')).toHaveLength(1);
  });

  test('a limited provider is a durable wait and then asked again', () => {
    const drive = busy();
    expect(drive.answers('requestModel', { type: 'wait', ms: 30_000 })).toBe('request.waiting');
    expect(drive.context).toMatchObject({ wait: 30_000, waits: 1 });
    expect(drive.elapses()).toBe('request.asking');
    expect(drive.started.filter((src) => src === 'requestModel')).toHaveLength(2);
  });

  test('failed requests are counted apart from limits, and both from one reply to the next', () => {
    const drive = busy();
    drive.answers('requestModel', { type: 'wait', ms: 1, fault: true });
    drive.elapses();
    drive.answers('requestModel', { type: 'wait', ms: 1, fault: true });
    expect(drive.context).toMatchObject({ waits: 2, faults: 2 });
    drive.elapses();
    drive.answers('requestModel', { type: 'wait', ms: 1, fault: false });
    expect(drive.context).toMatchObject({ waits: 3, faults: 0 });
    drive.elapses();
    drive.asksFor(run('a'));
    expect(drive.context).toMatchObject({ waits: 0, faults: 0 });
  });

  test('a reply that was broken off is gone on with', () => {
    const drive = busy();
    expect(drive.answers('requestModel', { type: 'continue' })).toBe('request.asking');
    expect(drive.context).toMatchObject({ pauses: 1, turns: 1 });
    drive.asksFor(run('a'));
    expect(drive.context.pauses).toBe(0);
  });

  test('a model that declines ends the turn and says so', () => {
    const drive = busy();
    const details = { category: 'cyber', explanation: 'No.' };
    expect(drive.answers('requestModel', { type: 'refusal', details })).toBe('end');
    expect(drive.context).toMatchObject({ ending: 'refusal', refusal: details });
  });

  test('a limit of the session ends the turn and says so', () => {
    const drive = busy();
    expect(drive.answers('requestModel', { type: 'limit' })).toBe('end');
    expect(drive.context.ending).toBe('limit');
  });
});

describe('approvals', () => {
  test('nothing of a reply runs before all its questions are answered', () => {
    const drive = busy();
    expect(drive.asksFor(run('a'), ask('b'), ask('c'))).toBe('awaiting_approval.asking');
    expect(drive.user({ type: 'user.tool_confirmation', call: 'c', result: 'deny' })).toBe(
      'awaiting_approval.asking',
    );
    expect(drive.user({ type: 'user.tool_confirmation', call: 'b', result: 'allow' })).toBe(
      'awaiting_approval.resuming',
    );
    const answers = [
      { call: 'b', result: 'allow' },
      { call: 'c', result: 'deny' },
    ];
    expect(drive.answers('resumeTurn', { answers })).toBe('tool_use.running');
    drive.answers('runTool', { type: 'done' });
    drive.answers('appendResult');
    drive.answers('runTool', { type: 'done' });
    expect(drive.answers('appendResult')).toBe('tool_result');
    expect(drive.answers('appendResult')).toBe('request.asking');
    expect(drive.started.filter((src) => src === 'runTool')).toHaveLength(2);
  });

  test('an answer that is quicker than the question is kept for it', () => {
    const drive = busy();
    drive.user({ type: 'user.tool_confirmation', call: 'a', result: 'allow' });
    drive.user({ type: 'user.custom_tool_result', call: 'b' });
    expect(drive.asksFor(ask('a'), { id: 'b', decision: 'custom' }, run('c'))).toBe(
      'awaiting_approval.resuming',
    );
    const answers = [
      { call: 'a', result: 'allow' },
      { call: 'b', result: 'own' },
    ];
    expect(drive.answers('resumeTurn', { answers })).toBe('tool_use.running');
    expect(drive.context).toMatchObject({ queue: [run('a'), run('c')], claims: [] });
  });

  test('a bare signal is nothing: what is not in the log is waited for', () => {
    const drive = busy();
    drive.asksFor(ask('a'), ask('b'));
    drive.tell({ type: 'user.tool_confirmation', seq: 1e15, call: 'a', result: 'allow' });
    drive.tell({ type: 'user.tool_confirmation', seq: 1e15, call: 'b', result: 'allow' });
    expect(drive.state).toBe('awaiting_approval.resuming');
    expect(drive.answers('resumeTurn', { answers: [{ call: 'b', result: 'deny' }] })).toBe(
      'awaiting_approval.asking',
    );
    expect(drive.context.queue).toEqual([ask('a'), { id: 'b', decision: 'deny' }]);
    expect(drive.started).not.toContain('runTool');
    // The real answer comes later, and is not taken for old.
    expect(drive.user({ type: 'user.tool_confirmation', call: 'a' })).toBe('awaiting_approval.resuming');
    expect(drive.answers('resumeTurn', { answers: [{ call: 'a', result: 'allow' }] })).toBe(
      'tool_use.running',
    );
  });

  test('an answer that comes while a claim is looked up is looked up too', () => {
    const drive = busy();
    drive.asksFor(ask('a'));
    drive.tell({ type: 'user.tool_confirmation', seq: 1, call: 'a' });
    drive.user({ type: 'user.tool_confirmation', call: 'a' });
    expect(drive.answers('resumeTurn', { answers: [] })).toBe('awaiting_approval.resuming');
    expect(drive.started.filter((src) => src === 'resumeTurn')).toHaveLength(2);
  });

  test('the client’s own result answers a custom tool use', () => {
    const drive = busy();
    expect(drive.asksFor({ id: 'a', decision: 'custom' })).toBe('awaiting_approval.asking');
    drive.user({ type: 'user.custom_tool_result', call: 'a' });
    expect(drive.answers('resumeTurn', { answers: [{ call: 'a', result: 'own' }] })).toBe('request.asking');
  });
});

describe('interrupts', () => {
  test('while the model is asked: its actor is stopped, the turn ends', () => {
    const drive = busy();
    expect(drive.user({ type: 'user.interrupt' })).toBe('end');
    expect(drive.stopped).toContain('requestModel');
    expect(drive.context.ending).toBe('interrupted');
  });

  test('while a tool runs: it is stopped, what it put out is kept, the rest is not run', () => {
    const drive = busy();
    drive.asksFor(run('a'), run('b'));
    expect(drive.user({ type: 'user.interrupt' })).toBe('tool_use.interrupting');
    expect(drive.started.at(-1)).toBe('interruptTool');
    expect(drive.stopped).not.toContain('runTool');
    expect(drive.answers('runTool', { type: 'interrupted' })).toBe('tool_result');
    expect(drive.answers('appendResult')).toBe('end');
  });

  test('a tool that does not run is not waited for', () => {
    const drive = busy();
    drive.asksFor(run('a'));
    drive.user({ type: 'user.interrupt' });
    expect(drive.answers('interruptTool', { running: true })).toBe('tool_use.interrupting');
    const broken = busy();
    broken.asksFor(run('a'));
    broken.user({ type: 'user.interrupt' });
    expect(broken.answers('interruptTool', { running: false })).toBe('end');
    expect(broken.stopped).toContain('runTool');
  });

  test('a tool that cannot be stopped is given up after the grace time', () => {
    const drive = busy();
    drive.asksFor(run('a'));
    drive.user({ type: 'user.interrupt' });
    drive.elapses();
    expect(drive.state).toBe('end');
  });

  test('the epoch rises when a turn ends, so that late writers are fenced', () => {
    const drive = busy();
    const before = drive.context.epoch;
    drive.user({ type: 'user.interrupt' });
    expect(drive.context.epoch).toBe(before + 1);
  });

  test('an interrupt while idle does nothing', () => {
    const drive = new Drive();
    expect(drive.user({ type: 'user.interrupt' })).toBe('idle');
    expect(drive.user({ type: 'user.message' })).toBe('request.asking');
    expect(drive.context.ending).toBeNull();
  });
});

describe('messages that come at any time', () => {
  test('one that the ending turn has not seen starts the next turn', () => {
    const drive = busy();
    drive.answers('requestModel', { type: 'end' });
    drive.user({ type: 'user.message' });
    expect(drive.answers('endTurn', { type: 'idle', cursor: 1 })).toBe('request.asking');
  });

  test('one that the ending turn has seen does not', () => {
    const drive = busy();
    drive.answers('requestModel', { type: 'end' });
    drive.user({ type: 'user.message' });
    expect(drive.answers('endTurn', { type: 'idle', cursor: 2 })).toBe('idle');
  });

  test('a message delivered twice is taken once', () => {
    const drive = new Drive();
    drive.user({ type: 'user.message', seq: 4 });
    drive.answers('requestModel', { type: 'end' });
    drive.answers('endTurn', { type: 'idle', cursor: 9 });
    expect(drive.user({ type: 'user.message', seq: 4 })).toBe('idle');
  });
});

describe('pausing', () => {
  test('takes effect at the next boundary and resumes there', () => {
    const drive = busy();
    drive.asksFor(run('a'));
    drive.user({ type: 'pause' });
    drive.answers('runTool', { type: 'done' });
    expect(drive.answers('appendResult')).toBe('paused');
    expect(drive.user({ type: 'resume' })).toBe('request.asking');
  });

  test('is not taken where nothing runs', () => {
    const drive = new Drive();
    expect(drive.takes({ type: 'pause' })).toBe(false);
  });
});

describe('failure', () => {
  test('a step that fails for good leads to failed; a message resumes', () => {
    const drive = busy();
    expect(drive.fails('requestModel', 'ProviderRefusedError', 'no credit')).toBe('failed.reporting');
    expect(drive.context.failure).toEqual({ type: 'ProviderRefusedError', message: 'no credit' });
    expect(report(drive)).toBe('failed.reported');
    expect(drive.user({ type: 'user.message' })).toBe('request.asking');
    expect(drive.context.failure).toBeNull();
  });

  test.each(['runTool', 'look', 'appendResult', 'endTurn'])('%s has an error path', (actor) => {
    const drive = busy();
    drive.asksFor(run('a'));
    if (actor === 'look') drive.answers('runTool', { type: 'unknown' });
    if (actor === 'appendResult') drive.answers('runTool', { type: 'done' });
    if (actor === 'endTurn') {
      drive.answers('runTool', { type: 'done' });
      drive.answers('appendResult');
      drive.answers('requestModel', { type: 'end' });
    }
    expect(drive.fails(actor, null, 'disk gone')).toBe('failed.reporting');
  });

  test('a message that comes while the log is told of a failure begins the next turn, after that', () => {
    const unseen = busy();
    unseen.fails('requestModel', null, 'x');
    expect(unseen.user({ type: 'user.message' })).toBe('failed.reporting');
    expect(unseen.stopped).not.toContain('failTurn');
    expect(unseen.answers('failTurn', { type: 'idle', cursor: 1 })).toBe('request.asking');
    expect(unseen.context.failure).toBeNull();
    const seen = busy();
    seen.fails('requestModel', null, 'x');
    expect(seen.answers('failTurn', { type: 'more', cursor: 3 })).toBe('request.asking');
  });

  test('a failure that cannot be written down still waits for a message', () => {
    const drive = busy();
    drive.fails('requestModel', null, 'x');
    expect(drive.fails('failTurn', null, 'disk gone')).toBe('failed.reported');
    expect(drive.user({ type: 'user.message' })).toBe('request.asking');
  });
});

describe('a person takes over', () => {
  const terms = {
    takeover: 'tkov_1',
    record: 'full',
    disconnect_after_s: 60,
    expires_after_s: 3600,
  };
  const withdrawn = { type: 'takeover.withdrawn', takeover: 'tkov_1' };
  const take = (drive: Drive): string => drive.tell({ type: 'takeover', ...terms });
  const back = (drive: Drive): string => drive.answers('takeOver', { cursor: 40 });

  test('while the model is asked: the request is given up, and asked again afterwards', () => {
    const drive = busy();
    const { epoch } = drive.context;
    expect(take(drive)).toBe('taken_over');
    expect(drive.stopped).toContain('requestModel');
    expect(drive.context.epoch).toBe(epoch + 1);
    expect(back(drive)).toBe('request.asking');
    expect(drive.context.takeover).toBeNull();
  });

  test('while a tool runs: it is finished, the others of the reply are not begun', () => {
    const drive = busy();
    drive.asksFor(run('a'), run('b'));
    expect(take(drive)).toBe('tool_use.running');
    expect(drive.answers('runTool', { type: 'done' })).toBe('tool_result');
    expect(drive.answers('appendResult')).toBe('taken_over');
    expect(back(drive)).toBe('tool_result');
    expect(drive.answers('appendResult')).toBe('request.asking');
    expect(drive.started.filter((src) => src === 'runTool')).toHaveLength(1);
  });

  test('while an outcome is unknown: it is looked at first', () => {
    const drive = busy();
    drive.asksFor(run('a'));
    drive.answers('runTool', { type: 'unknown' });
    expect(take(drive)).toBe('verifying');
    drive.answers('look');
    expect(drive.answers('appendResult')).toBe('taken_over');
  });

  test('while an approval is waited for: it is waited for again, unless it came meanwhile', () => {
    const drive = busy();
    drive.asksFor(ask('a'));
    expect(take(drive)).toBe('taken_over');
    expect(back(drive)).toBe('awaiting_approval.asking');
    drive.tell({ type: 'takeover', ...terms, takeover: 'tkov_2' });
    drive.user({ type: 'user.tool_confirmation', call: 'a', result: 'allow' });
    expect(back(drive)).toBe('awaiting_approval.resuming');
    // Given before the screen was handed back.
    expect(drive.context.outdatedUpTo).toBe(40);
    expect(drive.answers('resumeTurn', { answers: [{ call: 'a', result: 'outdated' }] })).toBe('tool_result');
  });

  test('while it is idle: it is idle again, unless it was spoken to', () => {
    const drive = new Drive();
    expect(take(drive)).toBe('taken_over');
    expect(drive.user({ type: 'user.interrupt' })).toBe('taken_over');
    expect(back(drive)).toBe('idle');
    take(drive);
    expect(drive.user({ type: 'user.message' })).toBe('taken_over');
    expect(back(drive)).toBe('request.asking');
  });

  test('while it is paused, failed or ends a turn', () => {
    const paused = busy();
    paused.asksFor(run('a'));
    paused.tell({ type: 'pause' });
    paused.answers('runTool', { type: 'done' });
    expect(paused.answers('appendResult')).toBe('paused');
    expect(take(paused)).toBe('taken_over');
    expect(back(paused)).toBe('paused');
    const failed = busy();
    failed.fails('requestModel', null, 'no');
    report(failed);
    expect(take(failed)).toBe('taken_over');
    expect(back(failed)).toBe('idle');
    const failing = busy();
    failing.asksFor(run('a'));
    expect(take(failing)).toBe('tool_use.running');
    expect(failing.fails('runTool', null, 'no')).toBe('failed.reporting');
    expect(report(failing)).toBe('taken_over');
    expect(back(failing)).toBe('idle');
    const ending = busy();
    ending.answers('requestModel', { type: 'end' });
    expect(take(ending)).toBe('end');
    expect(ending.answers('endTurn', { type: 'idle', cursor: 9 })).toBe('taken_over');
    expect(back(ending)).toBe('idle');
  });

  test('while a failure is written down: that is finished first', () => {
    const drive = busy();
    drive.fails('requestModel', null, 'no');
    expect(take(drive)).toBe('failed.reporting');
    expect(drive.stopped).not.toContain('failTurn');
    expect(report(drive)).toBe('taken_over');
    expect(back(drive)).toBe('idle');
    const spokenTo = busy();
    spokenTo.fails('requestModel', null, 'no');
    take(spokenTo);
    expect(report(spokenTo)).toBe('taken_over');
    expect(spokenTo.user({ type: 'user.message' })).toBe('taken_over');
    expect(back(spokenTo)).toBe('request.asking');
  });

  test('withdrawn before it has begun, the agent goes on as if it had not been asked for', () => {
    const running = busy();
    running.asksFor(run('a'), run('b'));
    take(running);
    expect(running.tell(withdrawn)).toBe('tool_use.running');
    running.answers('runTool', { type: 'done' });
    expect(running.answers('appendResult')).toBe('tool_use.running');
    expect(running.context.queue).toEqual([run('b')]);
    const ending = busy();
    ending.answers('requestModel', { type: 'end' });
    take(ending);
    ending.tell(withdrawn);
    expect(ending.answers('endTurn', { type: 'idle', cursor: 9 })).toBe('idle');
    const failing = busy();
    failing.fails('requestModel', null, 'no');
    take(failing);
    failing.tell(withdrawn);
    expect(report(failing)).toBe('failed.reported');
  });

  test('one that has begun, or that another person asked for, cannot be withdrawn', () => {
    const drive = busy();
    drive.asksFor(run('a'));
    take(drive);
    expect(drive.takes({ ...withdrawn, takeover: 'tkov_2' })).toBe(false);
    expect(drive.takes(withdrawn)).toBe(true);
    drive.answers('runTool', { type: 'done' });
    drive.answers('appendResult');
    expect(drive.state).toBe('taken_over');
    expect(drive.takes(withdrawn)).toBe(false);
    drive.tell(withdrawn);
    expect(drive.context.takeover).not.toBeNull();
  });

  test('one at a time; an interrupt meanwhile ends the turn afterwards', () => {
    const drive = busy();
    take(drive);
    expect(drive.takes({ type: 'takeover', ...terms, takeover: 'tkov_2' })).toBe(false);
    expect(drive.user({ type: 'user.interrupt' })).toBe('taken_over');
    expect(back(drive)).toBe('end');
  });
});

describe('a workflow whose log knows more', () => {
  const log = { epoch: 7, rest: false, interrupted: false, calls: [], message: 3, seen: 3 };

  test('one that follows another looks first, and goes on with what was left open', () => {
    const drive = new Drive({ resume: true });
    expect([drive.state, drive.started]).toEqual(['recalling', ['recall']]);
    expect(drive.answers('recall', { ...log, calls: [run('a'), ask('b')] })).toBe('awaiting_approval.asking');
    expect(drive.context).toMatchObject({ epoch: 7, generation: 7, seen: 3, message: 3 });
  });

  test('nothing left open: the model is asked', () => {
    const drive = new Drive({ resume: true });
    expect(drive.answers('recall', log)).toBe('request.asking');
  });

  test('a log at rest leaves it at rest, unless it was spoken to meanwhile', () => {
    const drive = new Drive({ resume: true });
    expect(drive.answers('recall', { ...log, rest: true })).toBe('idle');
    const other = new Drive({ resume: true });
    other.tell({ type: 'user.message', seq: 4 });
    expect(other.answers('recall', { ...log, rest: true })).toBe('request.asking');
  });

  test('an interrupt of before, or of meanwhile, ends the turn', () => {
    const before = new Drive({ resume: true });
    expect(before.answers('recall', { ...log, interrupted: true, calls: [run('a')] })).toBe('end');
    const meanwhile = new Drive({ resume: true });
    meanwhile.tell({ type: 'user.interrupt', seq: 4 });
    expect(meanwhile.answers('recall', { ...log, calls: [run('a')] })).toBe('end');
  });

  test('one that was set back finds out by the log’s epoch or the last event that it was told of', () => {
    const drive = busy();
    expect(drive.tell({ type: 'recall', epoch: 1, seq: 1 })).toBe('request.asking');
    expect(drive.tell({ type: 'recall', epoch: 1, seq: 2 })).toBe('recalling');
    expect(drive.stopped).toContain('requestModel');
    expect(busy().tell({ type: 'recall', epoch: 2, seq: 1 })).toBe('recalling');
  });

  test('a step that is refused for its epoch is one that was forgotten: it looks instead of failing', () => {
    const drive = busy();
    expect(drive.fails('requestModel', 'StaleEpochError', 'epoch 1 is below 4')).toBe('recalling');
    expect(drive.answers('recall', { ...log, calls: [run('a')] })).toBe('tool_use.running');
    expect(drive.context.failure).toBeNull();
  });

  test('a session that is gone fails', () => {
    const drive = new Drive({ resume: true });
    expect(drive.fails('recall', 'NotStoredError', 'gone')).toBe('failed.reporting');
  });
});
