/**
 * The workflows behind the recorded histories in `histories/` (one JSON file per recorded run). Each exercises one
 * feature of the service. The histories replay with exactly this code: change nothing in what a workflow does.
 */
import * as wf from '@temporalio/workflow';

export interface RecordActivities {
  echo(s: string): Promise<string>;
  failTimes(n: number): Promise<number>;
  failAlways(kind: string): Promise<void>;
  slow(ms: number): Promise<string>;
  silent(ms: number): Promise<string>;
  heartbeatUntilCancelled(): Promise<string>;
  completeElsewhere(): Promise<string>;
  resumeFromHeartbeat(): Promise<number>;
}

const act = wf.proxyActivities<RecordActivities>({ startToCloseTimeout: '30s' });

export const go = wf.defineSignal<[string?]>('go');
export const add = wf.defineSignal<[number]>('add');
export const total = wf.defineQuery<number>('total');
export const bump = wf.defineUpdate<number, [number]>('bump');
export const bumpViaActivity = wf.defineUpdate<string, [string]>('bumpViaActivity');

const messageOf = (e: unknown): string => {
  if (e instanceof wf.ActivityFailure || e instanceof wf.ChildWorkflowFailure) {
    const c = e.cause as (Error & { timeoutType?: string }) | undefined;
    const kind = c?.timeoutType ? `${c.name}:${c.timeoutType}` : `${c?.name}:${c?.message}`;
    return `${e.name}>${kind}`;
  }
  return e instanceof Error ? `${e.name}:${e.message}` : String(e);
};
async function outcome<T>(p: Promise<T>): Promise<string> {
  try {
    return `ok:${JSON.stringify(await p)}`;
  } catch (e) {
    return messageOf(e);
  }
}

// ---- trivial ------------------------------------------------------------------------------------------------------
export async function empty(): Promise<void> {}
export async function returnArgs(...a: unknown[]): Promise<unknown[]> {
  return a;
}

// ---- activities ---------------------------------------------------------------------------------------------------
export async function activitySuccess(s: string): Promise<string> {
  return await act.echo(s);
}
export async function activitiesInSequence(n: number): Promise<string[]> {
  const out: string[] = [];
  for (let i = 0; i < n; i++) out.push(await act.echo(`s${i}`));
  return out;
}
export async function activitiesInParallel(n: number): Promise<string[]> {
  return await Promise.all(Array.from({ length: n }, (_, i) => act.echo(`p${i}`)));
}
export async function activityRetryThenSuccess(): Promise<number> {
  const a = wf.proxyActivities<RecordActivities>({
    startToCloseTimeout: '10s',
    retry: { initialInterval: '200ms', backoffCoefficient: 1, maximumAttempts: 5 },
  });
  return await a.failTimes(2);
}
export async function activityRetryExhausted(): Promise<string> {
  const a = wf.proxyActivities<RecordActivities>({
    startToCloseTimeout: '10s',
    retry: { initialInterval: '100ms', backoffCoefficient: 1, maximumAttempts: 3 },
  });
  return await outcome(a.failAlways('retryable'));
}
export async function activityNonRetryable(): Promise<string[]> {
  const byType = wf.proxyActivities<RecordActivities>({
    startToCloseTimeout: '10s',
    retry: { nonRetryableErrorTypes: ['Listed'] },
  });
  return [await outcome(act.failAlways('nonRetryable')), await outcome(byType.failAlways('listed'))];
}
export async function activityStartToCloseTimeout(): Promise<string> {
  const a = wf.proxyActivities<RecordActivities>({
    startToCloseTimeout: '1s',
    retry: { maximumAttempts: 1 },
  });
  return await outcome(a.silent(4000));
}
export async function activityStartToCloseTimeoutRetried(): Promise<string> {
  const a = wf.proxyActivities<RecordActivities>({
    startToCloseTimeout: '1s',
    retry: { maximumAttempts: 2, initialInterval: '100ms' },
  });
  return await outcome(a.silent(3000));
}
export async function activityScheduleToStartTimeout(): Promise<string> {
  const a = wf.proxyActivities<RecordActivities>({
    taskQueue: 'nobody-listens',
    scheduleToStartTimeout: '1s',
    startToCloseTimeout: '10s',
  });
  return await outcome(a.echo('never'));
}
export async function activityScheduleToCloseTimeout(): Promise<string> {
  const a = wf.proxyActivities<RecordActivities>({
    scheduleToCloseTimeout: '2s',
    retry: { initialInterval: '300ms', backoffCoefficient: 1 },
  });
  return await outcome(a.failAlways('retryable'));
}
export async function activityHeartbeatTimeout(): Promise<string> {
  const a = wf.proxyActivities<RecordActivities>({
    startToCloseTimeout: '20s',
    heartbeatTimeout: '1s',
    retry: { maximumAttempts: 1 },
  });
  return await outcome(a.silent(4000));
}
export async function activityResumeFromHeartbeat(): Promise<number> {
  const a = wf.proxyActivities<RecordActivities>({
    startToCloseTimeout: '10s',
    heartbeatTimeout: '5s',
    retry: { maximumAttempts: 3, initialInterval: '100ms' },
  });
  return await a.resumeFromHeartbeat();
}
async function cancelOne(type: wf.ActivityCancellationType): Promise<string> {
  const a = wf.proxyActivities<RecordActivities>({
    startToCloseTimeout: '20s',
    heartbeatTimeout: '2s',
    cancellationType: type,
  });
  const scope = new wf.CancellationScope();
  const p = scope.run(() => outcome(a.heartbeatUntilCancelled()));
  await wf.sleep(700);
  scope.cancel();
  return await p;
}
export async function activityCancelWait(): Promise<string> {
  return await cancelOne('WAIT_CANCELLATION_COMPLETED');
}
export async function activityCancelTry(): Promise<string> {
  const r = await cancelOne('TRY_CANCEL');
  await wf.sleep(1500);
  return r;
}
export async function activityCancelAbandon(): Promise<string> {
  return await cancelOne('ABANDON');
}
export async function activityCancelBeforeScheduled(): Promise<string> {
  const scope = new wf.CancellationScope();
  const p = scope.run(() => outcome(act.echo('x')));
  scope.cancel();
  return await p;
}
export async function activityAsyncCompletion(): Promise<string> {
  return await act.completeElsewhere();
}
export async function activityFailsWorkflow(): Promise<void> {
  await act.failAlways('nonRetryable');
}

// ---- local activities ---------------------------------------------------------------------------------------------
export async function localActivity(): Promise<string> {
  const l = wf.proxyLocalActivities<RecordActivities>({ startToCloseTimeout: '5s' });
  const first = await l.echo('one');
  return first + (await l.echo('two'));
}
export async function localActivityRetry(): Promise<number> {
  const l = wf.proxyLocalActivities<RecordActivities>({
    startToCloseTimeout: '5s',
    retry: { initialInterval: '100ms', backoffCoefficient: 1 },
  });
  return await l.failTimes(2);
}
export async function localActivityRetryByTimer(): Promise<number> {
  const l = wf.proxyLocalActivities<RecordActivities>({
    startToCloseTimeout: '5s',
    localRetryThreshold: '100ms',
    retry: { initialInterval: '1s', backoffCoefficient: 1 },
  });
  return await l.failTimes(1);
}
export async function localActivityFailure(): Promise<string> {
  const l = wf.proxyLocalActivities<RecordActivities>({
    startToCloseTimeout: '5s',
    retry: { maximumAttempts: 1 },
  });
  return await outcome(l.failAlways('retryable'));
}
export async function localActivitySlow(): Promise<string> {
  const l = wf.proxyLocalActivities<RecordActivities>({ startToCloseTimeout: '30s' });
  return await l.slow(12000);
}

// ---- timers -------------------------------------------------------------------------------------------------------
export async function timerFired(ms: number): Promise<string> {
  await wf.sleep(ms);
  return 'fired';
}
export async function timerCanceled(): Promise<string> {
  const scope = new wf.CancellationScope();
  const p = scope.run(() => outcome(wf.sleep('1h')));
  await wf.sleep(100);
  scope.cancel();
  return await p;
}
export async function timerCanceledAtOnce(): Promise<string> {
  const scope = new wf.CancellationScope();
  const p = scope.run(() => outcome(wf.sleep('1h')));
  scope.cancel();
  return await p;
}
export async function timerRace(): Promise<string> {
  return await Promise.race([wf.sleep(100).then(() => 'short'), wf.sleep(400).then(() => 'long')]);
}
export async function conditionTimeout(): Promise<boolean> {
  return await wf.condition(() => false, 200);
}

// ---- messages -----------------------------------------------------------------------------------------------------
export async function signals(expect: number): Promise<number> {
  let sum = 0;
  let n = 0;
  wf.setHandler(add, (x) => {
    sum += x;
    n++;
  });
  wf.setHandler(total, () => sum);
  await wf.condition(() => n >= expect);
  return sum;
}
export async function updates(expect: number): Promise<number> {
  let sum = 0;
  let n = 0;
  wf.setHandler(
    bump,
    (x) => {
      n++;
      if (x === 13) throw wf.ApplicationFailure.nonRetryable('unlucky', 'Unlucky', { x });
      sum += x;
      return sum;
    },
    {
      validator: (x) => {
        if (x < 0) throw wf.ApplicationFailure.create({ message: 'negative', type: 'Negative' });
      },
    },
  );
  wf.setHandler(bumpViaActivity, async (s) => {
    const r = await act.echo(s);
    await wf.sleep(50);
    n++;
    return r;
  });
  await wf.condition(() => n >= expect && wf.allHandlersFinished());
  return sum;
}
export async function waitForGo(): Promise<string> {
  let got: string | undefined;
  wf.setHandler(go, (s) => {
    got = s ?? 'go';
  });
  await wf.condition(() => got !== undefined);
  return got as string;
}

// ---- children and external executions -----------------------------------------------------------------------------
export async function childEcho(s: string): Promise<string> {
  return `child:${s}`;
}
export async function childFails(): Promise<void> {
  throw wf.ApplicationFailure.nonRetryable('child broke', 'ChildBroke');
}
export async function childWaits(): Promise<void> {
  await wf.sleep('1h');
}
export async function parentSuccess(): Promise<string> {
  return await wf.executeChild(childEcho, { args: ['hi'], memo: { a: 1 } });
}
export async function parentChildFails(): Promise<string> {
  return await outcome(wf.executeChild(childFails));
}
export async function parentChildTimesOut(): Promise<string> {
  return await outcome(wf.executeChild(childWaits, { workflowExecutionTimeout: '1s' }));
}
export async function parentChildAlreadyExists(id: string): Promise<string> {
  const first = await wf.startChild(childWaits, { workflowId: id });
  const r = await outcome(wf.startChild(childWaits, { workflowId: id }));
  const scopeEnd = wf.getExternalWorkflowHandle(first.workflowId);
  await scopeEnd.cancel();
  return r;
}
export async function parentChildCanceled(): Promise<string> {
  const scope = new wf.CancellationScope();
  const p = scope.run(() => outcome(wf.executeChild(childWaits)));
  await wf.sleep(500);
  scope.cancel();
  return await p;
}
export async function parentChildCanceledAtOnce(): Promise<string> {
  const scope = new wf.CancellationScope();
  const p = scope.run(() => outcome(wf.executeChild(childWaits)));
  scope.cancel();
  return await p;
}
export async function parentChildTerminated(id: string): Promise<string> {
  return await outcome(wf.executeChild(childWaits, { workflowId: id }));
}
export async function parentSignalsChild(): Promise<string> {
  const h = await wf.startChild(waitForGo);
  await h.signal(go, 'from parent');
  return await h.result();
}
export async function parentAbandons(): Promise<string> {
  const h = await wf.startChild(childWaits, {
    parentClosePolicy: 'ABANDON',
    workflowExecutionTimeout: '5s',
  });
  return h.workflowId;
}
export async function parentClosesChild(policy: 'TERMINATE' | 'REQUEST_CANCEL'): Promise<string> {
  const h = await wf.startChild(childWaits, { parentClosePolicy: policy });
  return h.workflowId;
}
export async function externalSignalAndCancel(target: string): Promise<string[]> {
  const h = wf.getExternalWorkflowHandle(target);
  const missing = wf.getExternalWorkflowHandle('no-such-workflow');
  const a = await outcome(h.signal(add, 1));
  const b = await outcome(missing.signal(add, 1));
  const c = await outcome(h.cancel());
  const d = await outcome(missing.cancel());
  return [a, b, c, d];
}

// ---- continue-as-new ----------------------------------------------------------------------------------------------
export async function continuer(n: number): Promise<string> {
  if (n > 0) await wf.continueAsNew<typeof continuer>(n - 1);
  return 'done';
}
export async function continuerWithOptions(n: number): Promise<string> {
  if (n > 0) {
    await wf.makeContinueAsNewFunc<typeof continuerWithOptions>({
      memo: { left: n },
      workflowRunTimeout: '1m',
      workflowTaskTimeout: '8s',
    })(n - 1);
  }
  return 'done';
}

// ---- failures, closing --------------------------------------------------------------------------------------------
export async function fails(): Promise<void> {
  throw wf.ApplicationFailure.create({
    message: 'broken',
    type: 'Broken',
    nonRetryable: true,
    details: [{ why: 'test' }, 2],
    cause: new Error('inner'),
  });
}
export async function failsRetried(): Promise<number> {
  const { attempt } = wf.workflowInfo();
  if (attempt < 3) throw wf.ApplicationFailure.retryable(`attempt ${attempt}`, 'Again');
  return attempt;
}
export async function cancellable(): Promise<void> {
  await wf.sleep('1h');
}
export async function cancelHandled(): Promise<string> {
  try {
    await wf.sleep('1h');
    return 'slept';
  } catch (e) {
    if (!wf.isCancellation(e)) throw e;
    return await wf.CancellationScope.nonCancellable(() => act.echo('cleanup'));
  }
}
export async function taskFailsOnce(): Promise<string> {
  // A plain Error fails the workflow task, not the workflow. Only the very first task sees a history of 3 events: once
  // WorkflowTaskFailed is written, the retried task (and any replay) sees a longer one.
  if (wf.workflowInfo().historyLength === 3) throw new Error('workflow task broken');
  await wf.sleep(50);
  return 'recovered';
}

// ---- metadata -----------------------------------------------------------------------------------------------------
export async function upserts(): Promise<string> {
  wf.upsertSearchAttributes({ CustomKeywordField: ['k1'], CustomIntField: [7] });
  wf.upsertMemo({ note: 'two', gone: null });
  await wf.sleep(50);
  wf.upsertSearchAttributes({ CustomKeywordField: [] });
  return 'ok';
}
export async function patched(): Promise<string> {
  if (wf.patched('fix-1')) {
    await act.echo('new');
    return 'new';
  }
  await act.echo('old');
  return 'old';
}
export async function patchDeprecated(): Promise<string> {
  wf.deprecatePatch('fix-2');
  await act.echo('new');
  return 'new';
}
export async function userMetadata(): Promise<string> {
  wf.setCurrentDetails('working');
  await wf.sleep(50, { summary: 'a short nap' });
  await act.echo.executeWithOptions({ startToCloseTimeout: '5s', summary: 'an echo' }, ['x']);
  return 'ok';
}
export async function randomness(): Promise<[string, boolean, number]> {
  const id = wf.uuid4();
  const r = Math.random();
  const t0 = Date.now();
  await wf.sleep(20);
  return [id, r >= 0 && r < 1, Date.now() - t0];
}

// ---- mixed --------------------------------------------------------------------------------------------------------
export async function agentLike(steps: number): Promise<number> {
  let approved = 0;
  let done = 0;
  wf.setHandler(go, () => {
    approved++;
  });
  wf.setHandler(total, () => done);
  const l = wf.proxyLocalActivities<RecordActivities>({ startToCloseTimeout: '5s' });
  for (let i = 0; i < steps; i++) {
    await l.echo(`plan ${i}`);
    await act.echo(`act ${i}`);
    if (i % 3 === 2) await wf.condition(() => approved > i / 3 - 1, '2s');
    done++;
  }
  return done;
}
