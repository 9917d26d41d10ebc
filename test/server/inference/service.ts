import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInference, type Inference, type InferenceOptions } from '../../../inference/index.ts';
import type { ServerDeps } from '../../../server/deps.ts';
import { inferenceRoot } from '../../support/inference-worker.ts';
import { type Running, startServer, stopServers } from '../harness.ts';

export interface Service extends Running {
  readonly inference: Inference;
  readonly modelsDir: string;
}

/** A model's file and, where it has one, its sidecar. */
export interface ModelFixture {
  readonly onnx: Uint8Array;
  readonly sidecar?: object;
}

const running: (() => Promise<void>)[] = [];

/** A server over real models in real workers; the first one named is the default. `stopServices` ends it. */
export async function startService(
  models: Readonly<Record<string, ModelFixture>>,
  { server, ...options }: Partial<InferenceOptions> & { readonly server?: Partial<ServerDeps> } = {},
): Promise<Service> {
  const modelsDir = fs.mkdtempSync(path.join(os.tmpdir(), 'service-test-'));
  for (const [name, { onnx, sidecar }] of Object.entries(models)) {
    if (sidecar !== undefined)
      fs.writeFileSync(path.join(modelsDir, `${name}.json`), JSON.stringify(sidecar));
    fs.writeFileSync(path.join(modelsDir, `${name}.onnx`), onnx);
  }
  const inference = createInference({
    root: inferenceRoot(),
    modelsDir,
    defaultModel: Object.keys(models)[0] ?? 'ocr',
    pollMs: 50,
    ...options,
  });
  running.push(async () => {
    await inference.close();
    fs.rmSync(modelsDir, { recursive: true, force: true });
  });
  const started = await startServer({ inference, ...server });
  await inference.settled();
  return { ...started, inference, modelsDir };
}

export async function stopServices(): Promise<void> {
  await stopServers();
  await Promise.all(running.splice(0).map((stop) => stop()));
}
