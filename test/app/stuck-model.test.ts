import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../engine/until.ts';
import { loopModel } from '../support/onnx.ts';
import { Product } from '../support/product.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { posted } from '../support/posted.ts';
import { readOrEmpty } from '../support/read-or-empty.ts';

const ENDLESS = 4e12;
const models = temporaryFolder();

const product = new Product({ MODELS_DIR: models, INFERENCE_RUN_LIMIT_MS: '1000', DRAIN_TIMEOUT_MS: '500' });
afterAll(() => product.dispose());

const infer = (times: number): Promise<Response> =>
  fetch(
    `${product.url}/v2/models/counts/infer`,
    posted({
      inputs: [
        { name: 'start', datatype: 'FP32', shape: [1], data: [0] },
        { name: 'times', datatype: 'INT64', shape: [1], data: [times] },
      ],
    }),
  );

/** Processor time of each of its threads, in hundredths of a second. */
function cpuTimes(product: Product): ReadonlyMap<string, number> {
  const threads = `/proc/${product.pid}/task`;
  return new Map(
    readdirSync(threads).map((id) => {
      const [user = 0, system = 0] = readOrEmpty(`${threads}/${id}/stat`)
        .replace(/^.*\) /, '')
        .split(' ')
        .slice(11, 13);
      return [id, Number(user) + Number(system)];
    }),
  );
}

test('neither runs that never end, given up or under way, nor a trial that never ends hold up an end: SIGTERM ends with code 0', async () => {
  // It passes its trial, in which it counts to nought.
  writeFileSync(path.join(models, 'counts.onnx'), loopModel());
  await product.start();
  expect((await infer(3)).status).toBe(200);
  const lost = await infer(ENDLESS);
  expect(lost.status).toBe(503);
  expect(await lost.text()).toMatch('a run took more than 1000 ms');

  const endless = path.join(models, 'endless.onnx');
  writeFileSync(endless, loopModel(ENDLESS));
  const ready = async (): Promise<number> => (await fetch(`${product.url}/v2/models/endless/ready`)).status;
  await until(async () => (await ready()) === 503);
  const before = cpuTimes(product);
  void infer(ENDLESS).catch(() => undefined);
  const busy = (): number =>
    [...cpuTimes(product)].filter(([id, time]) => time > (before.get(id) ?? 0) + 25).length;
  // The one of the run that was given up, and the one of this.
  await until(() => busy() >= 2);
  expect(await product.stop()).toBe(0);
  expect(product.stderr).not.toMatch(/Warning|SIG/);

  // It was a whole end: the same data folder serves again.
  rmSync(endless);
  await product.start();
  expect((await infer(3)).status).toBe(200);
});
