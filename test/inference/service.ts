import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { createInference, type Inference, type InferenceOptions } from '../../inference/index.ts';
import { inferenceRoot } from '../support/inference-worker.ts';
import { readOrEmpty } from '../support/read-or-empty.ts';

const running: { inference: Inference; folder: string }[] = [];

/** A models folder, and the real service with real worker threads on it. `stopServices` ends all of them. */
export interface TestService {
  readonly inference: Inference;
  readonly folder: string;
  /** Puts a complete file into the folder at once. */
  readonly put: (file: string, content: Uint8Array | string) => void;
}

export async function startService(
  files: Readonly<Record<string, Uint8Array | string>>,
  options: Partial<InferenceOptions> = {},
): Promise<TestService> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'models-test-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
  const inference = createInference({
    root: inferenceRoot(),
    modelsDir: folder,
    // A built-in that no request names is not loaded.
    defaultModel: 'none',
    pollMs: 20,
    ...options,
  });
  running.push({ inference, folder });
  await inference.settled();
  return {
    inference,
    folder,
    put(file, content) {
      writeFileSync(path.join(folder, `${file}.part`), content);
      renameSync(path.join(folder, `${file}.part`), path.join(folder, file));
    },
  };
}

export async function stopServices(): Promise<void> {
  await Promise.all(
    running.splice(0).map(async ({ inference, folder }) => {
      await inference.close();
      rmSync(folder, { recursive: true, force: true });
    }),
  );
}

/** The pids of the running processes that try a model. */
export function trials(): string[] {
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    readOrEmpty(`/proc/self/task/${task}/children`).split(' ').filter(Boolean),
  );
  return children.filter((pid) => readOrEmpty(`/proc/${pid}/cmdline`).includes('inference-trial'));
}

/** A PNG of one colour. */
export function png(width = 64, height = 48, color = { r: 10, g: 20, b: 30 }): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer();
}

/** Resolves once the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** What a promise rejects with. Throws where it resolves. */
export async function rejection(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await promise;
  } catch (error) {
    return error as Record<string, unknown>;
  }
  throw new Error('it did not reject');
}
