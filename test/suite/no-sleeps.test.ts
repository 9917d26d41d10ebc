import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..');

/**
 * Files in which a promise is settled by the clock alone, and why that is no wait for something to have happened. Whoever adds
 * one here says why there is no condition, event or clock of the test's own.
 */
const ALLOWED: Readonly<Record<string, string>> = {
  'app/outbox-delivery.test.ts': 'looks again for a condition',
  'batches/batch-server.ts': 'looks again for a condition',
  'e2e/bad-files.test.ts': 'looks again for a condition',
  'e2e/batches.test.ts': 'looks again for a condition',
  'e2e/deletion.test.ts': 'kills at chosen moments, and looks again for a condition',
  'e2e/full-disk.test.ts': 'looks again for a condition',
  'e2e/inference-role.test.ts': 'looks again for a condition',
  'e2e/roles.test.ts': 'looks again for a condition',
  'e2e/rolling.test.ts': 'looks again for a condition',
  'e2e/support.ts': 'looks again for a condition',
  'e2e/two-servers.test.ts': 'looks again for a condition',
  'engine/cli/workflows/index.ts': 'is a workflow, which sleeps by its own clock',
  'engine/conformance/activities.ts': 'is work that takes time, of which histories are recorded',
  'engine/embedded/support/activities.ts': 'is work that takes time',
  'engine/until.ts': 'looks again for a condition',
  'inference/images/decode-options.test.ts': 'looks again for a condition',
  'inference/service.ts': 'looks again for a condition',
  'messages/providers/anthropic/stream.test.ts': 'is the pace of an upstream',
  'oracle/compare-cli.ts': 'asks real servers, not part of the suite',
  'oracle/record-visibility.ts': 'records from a real server, not part of the suite',
  'sandbox/display/xvfb.ts': 'looks again for a condition',
  'sandbox/helpers/sandboxes.ts': 'looks again for a condition',
  'scripts/cluster-parts.test.ts': 'is the pace of a sender, and looks again for a condition',
  'sdk/resources.test.ts': 'looks again for a condition',
  'server/event-stream.test.ts': 'looks again until nothing changes',
  'server/inference/hostile.test.ts': 'looks again for a condition',
  'server/message-stream.test.ts': 'looks again until nothing changes',
  'server/replay-stream.test.ts': 'looks again until nothing changes',
  'server/sandboxes.test.ts': 'looks again for a condition',
  'server/workflows/bench.ts': 'looks again for a condition',
  'support/pacing.ts': 'looks again for a condition',
  'support/anthropic-answers.ts': 'is the pace of an upstream',
  'statechart/behaviour/durable.ts': 'looks again for a condition',
  'statechart/change.test.ts': 'looks again for a condition',
  'statechart/machine-workflow.test.ts': 'looks again for a condition',
  'statechart/seeing/support.ts': 'looks again for a condition',
  'statechart/worker-versioning.test.ts': 'looks again for a condition',
};

/** A promise that a timer settles, or the timers of promises under any name. */
const SLEEP =
  /setTimeout\(\s*(?:resolve|done|\(\) => (?:resolve|done)\()|void setTimeout\(done|await (?:sleep|pause|delay)\(/;
/** A kind of event told by its number in the protocol. */
const EVENT_NUMBER = /eventType[^\n]*\.(?:toBe|toEqual)\(\[?\d|types\([^\n]*\.toEqual\(\[\d|\beventType: \d/;

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== path.relative(ROOT, __filename))
  .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));

const ruledOut = (pattern: RegExp): string[] =>
  files.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

test('no test sleeps: it waits for a condition', () => {
  // The workflows of the tests sleep by Temporal's clock (`wf.sleep`), which is what they are there for.
  expect(ruledOut(SLEEP).filter((file) => !(file in ALLOWED))).toEqual([]);
});

test('every exception is one', () => {
  const sleeping = ruledOut(SLEEP);
  expect(Object.keys(ALLOWED).filter((file) => !sleeping.includes(file))).toEqual([]);
});

test('kinds of events go by their names', () => {
  expect(ruledOut(EVENT_NUMBER)).toEqual([]);
});
