import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { manifest } from '../support/bundling.ts';
import { isThorough } from '../support/sampled.ts';

/** Each example by its one command, on a Temporal server of its own: as somebody runs it who has just cloned the repository. */

const ROOT = path.resolve(__dirname, '../..');

/** Each takes five seconds of a processor, mostly webpack's; their workflows have tests of their own. */
const describeThorough = isThorough ? describe : describe.skip;

const run = async (...args: string[]): Promise<string> => {
  const { TEMPORAL_ADDRESS: _, ...env } = process.env;
  const script = path.join(ROOT, 'scripts/example.mjs');
  const options = { cwd: ROOT, env, timeout: 110_000 };
  return (await promisify(execFile)(process.execPath, [script, ...args], options)).stdout;
};

test('order saga', async () => {
  const printed = await run('order-saga');
  expect(printed).toContain('\nbook: delivered\n');
  expect(printed).toContain(
    '\n  4 refund receipt-900\n  5 release piano\npiano: cancelled, as no lorry is free\n',
  );
});

describeThorough('those that a usual run leaves out (STEADYHAND_TEST_ALL=1)', () => {
  test('traffic light', async () => {
    const printed = await run('traffic-light');
    expect(printed).toMatch(/^working\.green\nworking\.yellow\n/);
    // The worker may still log after it, of what it was asked and did not answer.
    expect(printed).toMatch(/\na later run is at work\n/);
  });

  test('approval', async () => {
    const printed = await run('approval');
    expect(printed).toMatch(/^reminder: budget lacks 2\nann open\.\w+\nann event 'approve' is not accepted/);
    expect(printed).toMatch(/\nbob approved\n/);
  });

  test('polling', async () => {
    expect(await run('polling')).toContain("{ result: 'a report', looks: 5 }");
  });

  test('fan-out', async () => {
    expect(await run('fan-out')).toContain("failed: { 'broken.png': 'Error: not a picture' }");
  });
});

test('a name that is none is answered with the names that there are', async () => {
  expect(manifest()).toMatchObject({ scripts: { example: 'node scripts/example.mjs' } });
  await expect(run('nothing')).rejects.toMatchObject({
    stderr: expect.stringContaining('approval, fan-out, order-saga, polling, traffic-light') as unknown,
  });
});
