import type { AnyEventObject } from 'xstate';
import type { ToolCall } from '../../../activities/contract.ts';
import { Interpreter } from '../../../workflows/statechart/interpreter.ts';
import { statePath } from '../../../workflows/statechart/state-path.ts';
import type { SessionEvent } from '../../../workflows/session/events.ts';
import type { SessionContext } from '../../../workflows/session/context.ts';
import { sessionMachine } from '../../../workflows/session/machine.ts';

/** A session’s machine driven by hand: answers for its actors, user events with rising numbers. */
class Drive {
  readonly machine: Interpreter;
  readonly started: string[] = [];
  readonly stopped: string[] = [];
  #seq = 0;

  constructor() {
    const [machine, effects] = Interpreter.start(sessionMachine, { session: 'sesn_1', epoch: 1 });
    this.machine = machine;
    this.#note(effects);
  }

  get state(): string {
    return statePath(this.machine.snapshot.value);
  }

  get context(): SessionContext {
    return this.machine.snapshot.context as SessionContext;
  }

  user(event: { type: SessionEvent['type'] } & Record<string, unknown>): string {
    return this.#step({ seq: ++this.#seq, ...event });
  }

  tell(event: AnyEventObject): string {
    return this.#step(event);
  }

  answers(actor: string, output?: unknown): string {
    return this.#step({ type: `xstate.done.actor.${actor}`, output, actorId: actor });
  }

  fails(actor: string, type: string | null, message: string): string {
    return this.#step({
      type: `xstate.error.actor.${actor}`,
      error: { name: 'E', type, message, details: [] },
      actorId: actor,
    });
  }

  elapses(): string {
    return this.#step({ type: 'xstate.after.providerWait.session.request.waiting' });
  }

  asksFor(...calls: ToolCall[]): string {
    return this.answers('requestModel', { type: 'tools', calls });
  }

  #step(event: AnyEventObject): string {
    this.#note(this.machine.step(event));
    return this.state;
  }

  #note(effects: ReturnType<Interpreter['step']>): void {
    for (const effect of effects) {
      if (effect.type === 'start') this.started.push(effect.actor.src);
      if (effect.type === 'stop') this.stopped.push(effect.id);
    }
  }
}

const run = (id: string): ToolCall => ({ id, decision: 'allow' });
const ask = (id: string): ToolCall => ({ id, decision: 'ask' });
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
    expect(drive.answers('resumeTurn')).toBe('tool_use.running');
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
    expect(drive.asksFor(ask('a'), { id: 'b', decision: 'custom' }, run('c'))).toBe('tool_use.running');
    expect(drive.context).toMatchObject({ queue: [run('a'), run('c')], early: [] });
  });

  test('a second answer to the same question changes nothing', () => {
    const drive = busy();
    drive.asksFor(ask('a'), ask('b'));
    drive.user({ type: 'user.tool_confirmation', call: 'a', result: 'deny' });
    drive.user({ type: 'user.tool_confirmation', call: 'a', result: 'allow' });
    expect(drive.context.queue[0]).toEqual({ id: 'a', decision: 'deny' });
  });

  test('the client’s own result answers a custom tool use', () => {
    const drive = busy();
    expect(drive.asksFor({ id: 'a', decision: 'custom' })).toBe('awaiting_approval.asking');
    drive.user({ type: 'user.custom_tool_result', call: 'a' });
    expect(drive.answers('resumeTurn')).toBe('request.asking');
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

  test('a tool that cannot be stopped is given up after the grace time', () => {
    const drive = busy();
    drive.asksFor(run('a'));
    drive.user({ type: 'user.interrupt' });
    drive.machine.step({ type: 'xstate.after.interruptGrace.session.tool_use.interrupting' });
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
    expect(drive.machine.snapshot.can({ type: 'pause' })).toBe(false);
  });
});

describe('failure', () => {
  test('a step that fails for good leads to failed; a message resumes', () => {
    const drive = busy();
    expect(drive.fails('requestModel', 'ProviderRefused', 'no credit')).toBe('failed');
    expect(drive.context.failure).toEqual({ type: 'ProviderRefused', message: 'no credit' });
    drive.answers('failTurn');
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
    expect(drive.fails(actor, null, 'disk gone')).toBe('failed');
  });

  test('a failure that cannot be written down still waits for a message', () => {
    const drive = busy();
    drive.fails('requestModel', null, 'x');
    expect(drive.fails('failTurn', null, 'disk gone')).toBe('failed');
  });
});

describe('a person takes over', () => {
  const terms = {
    takeover: 'tkov_1',
    record: 'full',
    disconnect_after_s: 60,
    expires_after_s: 3600,
    after_failure: true,
  };
  const withdrawn = { type: 'takeover.withdrawn', takeover: 'tkov_1' };
  const take = (drive: Drive): string => drive.tell({ type: 'takeover', ...terms });

  test('while the model is asked: the request is given up, and asked again afterwards', () => {
    const drive = busy();
    const { epoch } = drive.context;
    expect(take(drive)).toBe('taken_over');
    expect(drive.stopped).toContain('requestModel');
    expect(drive.context.epoch).toBe(epoch + 1);
    expect(drive.answers('takeOver')).toBe('request.asking');
    expect(drive.context.takeover).toBeNull();
  });

  test('while a tool runs: it is finished, the others of the reply are not begun', () => {
    const drive = busy();
    drive.asksFor(run('a'), run('b'));
    expect(take(drive)).toBe('tool_use.running');
    expect(drive.answers('runTool', { type: 'done' })).toBe('tool_result');
    expect(drive.answers('appendResult')).toBe('taken_over');
    expect(drive.answers('takeOver')).toBe('tool_result');
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
    expect(drive.answers('takeOver')).toBe('awaiting_approval.asking');
    drive.tell({ type: 'takeover', ...terms, takeover: 'tkov_2' });
    drive.user({ type: 'user.tool_confirmation', call: 'a', result: 'allow' });
    // Given before the screen was handed back.
    expect(drive.answers('takeOver')).toBe('tool_result');
  });

  test('while it is idle: it is idle again, unless it was spoken to', () => {
    const drive = new Drive();
    expect(take(drive)).toBe('taken_over');
    expect(drive.user({ type: 'user.interrupt' })).toBe('taken_over');
    expect(drive.answers('takeOver')).toBe('idle');
    take(drive);
    expect(drive.user({ type: 'user.message' })).toBe('taken_over');
    expect(drive.answers('takeOver')).toBe('request.asking');
  });

  test('while it is paused, failed or ends a turn', () => {
    const paused = busy();
    paused.asksFor(run('a'));
    paused.tell({ type: 'pause' });
    paused.answers('runTool', { type: 'done' });
    expect(paused.answers('appendResult')).toBe('paused');
    expect(take(paused)).toBe('taken_over');
    expect(paused.answers('takeOver')).toBe('paused');
    const failed = busy();
    failed.fails('requestModel', null, 'no');
    failed.answers('failTurn');
    expect(take(failed)).toBe('taken_over');
    expect(failed.answers('takeOver')).toBe('idle');
    const failing = busy();
    failing.asksFor(run('a'));
    expect(take(failing)).toBe('tool_use.running');
    expect(failing.fails('runTool', null, 'no')).toBe('failed');
    expect(failing.answers('failTurn')).toBe('taken_over');
    expect(failing.answers('takeOver')).toBe('idle');
    const ending = busy();
    ending.answers('requestModel', { type: 'end' });
    expect(take(ending)).toBe('end');
    expect(ending.answers('endTurn', { type: 'idle', cursor: 9 })).toBe('taken_over');
    expect(ending.answers('takeOver')).toBe('idle');
  });

  test('while a failure is written down: that is finished first', () => {
    const drive = busy();
    drive.fails('requestModel', null, 'no');
    expect(take(drive)).toBe('failed');
    expect(drive.stopped).not.toContain('failTurn');
    expect(drive.answers('failTurn')).toBe('taken_over');
    expect(drive.answers('takeOver')).toBe('idle');
    const spokenTo = busy();
    spokenTo.fails('requestModel', null, 'no');
    take(spokenTo);
    expect(spokenTo.user({ type: 'user.message' })).toBe('taken_over');
    expect(spokenTo.answers('takeOver')).toBe('request.asking');
  });

  test('in the history of a release that gave the failure up for it, it is given up', () => {
    const drive = busy();
    drive.fails('requestModel', null, 'no');
    const { after_failure: _, ...old } = terms;
    expect(drive.tell({ type: 'takeover', ...old })).toBe('taken_over');
    expect(drive.stopped).toContain('failTurn');
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
    expect(failing.answers('failTurn')).toBe('failed');
  });

  test('one that has begun, or that another person asked for, cannot be withdrawn', () => {
    const drive = busy();
    drive.asksFor(run('a'));
    take(drive);
    expect(drive.machine.snapshot.can({ ...withdrawn, takeover: 'tkov_2' })).toBe(false);
    expect(drive.machine.snapshot.can(withdrawn)).toBe(true);
    drive.answers('runTool', { type: 'done' });
    drive.answers('appendResult');
    expect(drive.state).toBe('taken_over');
    expect(drive.machine.snapshot.can(withdrawn)).toBe(false);
    drive.tell(withdrawn);
    expect(drive.context.takeover).not.toBeNull();
  });

  test('one at a time; an interrupt meanwhile ends the turn afterwards', () => {
    const drive = busy();
    take(drive);
    expect(drive.machine.snapshot.can({ type: 'takeover', ...terms, takeover: 'tkov_2' })).toBe(false);
    expect(drive.user({ type: 'user.interrupt' })).toBe('taken_over');
    expect(drive.answers('takeOver')).toBe('end');
  });

  test('a state kept by a release without takeovers goes on', () => {
    const drive = busy();
    const { takeover: _, ...context } = drive.context;
    const kept = { ...(drive.machine.persist() as object), context };
    const machine = Interpreter.restore(sessionMachine, kept);
    machine.step({ type: 'takeover', ...terms });
    expect(statePath(machine.snapshot.value)).toBe('taken_over');
  });
});
