import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { loopModel } from '../support/onnx.ts';
import { Product } from '../support/product.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { posted } from '../support/posted.ts';

const ENDLESS = 4e12;
const models = temporaryFolder();

async function started(env: NodeJS.ProcessEnv): Promise<Product> {
  // It passes its trial, in which it counts to nought.
  writeFileSync(path.join(models, 'counts.onnx'), loopModel());
  const product = new Product({ MODELS_DIR: models, ...env });
  await product.start();
  return product;
}

const infer = (product: Product, times: number): Promise<Response> =>
  fetch(
    `${product.url}/v2/models/counts/infer`,
    posted({
      inputs: [
        { name: 'start', datatype: 'FP32', shape: [1], data: [0] },
        { name: 'times', datatype: 'INT64', shape: [1], data: [times] },
      ],
    }),
  );

/** Processor time of all its threads, in hundredths of a second. */
async function cpuTime(product: Product): Promise<number> {
  const { readFile } = await import('node:fs/promises');
  const fields = (await readFile(`/proc/${product.pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

test('a run that never ends, and was given up, holds up no end: SIGTERM ends with code 0', async () => {
  const product = await started({ INFERENCE_RUN_LIMIT_MS: '500' });
  expect((await infer(product, 3)).status).toBe(200);
  const lost = await infer(product, ENDLESS);
  expect(lost.status).toBe(503);
  expect(await lost.text()).toMatch('a run took more than 500 ms');
  expect(await product.stop()).toBe(0);
  expect(product.stderr).not.toMatch(/Warning|SIG/);
  // It was a whole end: the same data folder serves again.
  await product.start();
  expect((await infer(product, 3)).status).toBe(200);
  await product.dispose();
});

test('neither a run that never ends and is under way nor a trial that never ends holds up an end', async () => {
  writeFileSync(path.join(models, 'endless.onnx'), loopModel(ENDLESS));
  // The request that is under way is not waited for long: its run and the trial take a processor each.
  const product = await started({ DRAIN_TIMEOUT_MS: '500' });
  expect((await infer(product, 3)).status).toBe(200);
  const state = await fetch(`${product.url}/v2/models/endless/ready`);
  expect(state.status).toBe(503);
  const before = await cpuTime(product);
  void infer(product, ENDLESS).catch(() => undefined);
  while ((await cpuTime(product)) < before + 50) continue;
  expect(await product.stop()).toBe(0);
  rmSync(product.dataDir, { recursive: true, force: true });
});
