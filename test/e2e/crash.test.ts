import { crashRun, scriptAgent } from '../../bench/crash/crash-run.ts';
import { mixedScript } from '../../bench/crash/mixed-script.ts';
import { productForAll } from '../support/product.ts';
import { replaySessions } from '../support/replay.ts';
import { isThorough } from '../support/sampled.ts';
import { seeded } from '../support/seeded.ts';

const product = productForAll();

const KILLS = isThorough ? 8 : 2;

/** The short form of `bench/crash`: the server killed at seeded moments of a session of clicks, appends and edits. */
test('a server killed at any moment loses no step and repeats none', async () => {
  const random = seeded(20_241_022);
  const script = mixedScript(16);
  const agent = await scriptAgent(product.client);
  const calm = await crashRun(product, agent, script, Number.POSITIVE_INFINITY);
  expect(calm).toMatchObject({ lost: 0, repeated: 0 });
  for (let n = 0; n < KILLS; n++) {
    const run = await crashRun(product, agent, script, Math.round(random() * calm.duration));
    expect(run).toMatchObject({ lost: 0, repeated: 0, unknown: 0 });
  }
}, 600_000);

test('every workflow history that these sessions made replays', async () => {
  expect(await replaySessions(product)).toBeGreaterThanOrEqual(KILLS + 1);
}, 600_000);
