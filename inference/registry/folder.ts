import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { ModelRefusedError } from '../common/errors.ts';
import { parseSidecar, type Sidecar } from '../models/sidecar.ts';
import type { FileStamp } from '../runtime/worker/messages.ts';

/** A model's name is its file's without `.onnx`: letters, digits, `.`, `_` and `-`, with a letter or digit first. */
const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const SIDECAR_BYTES = 16 * 1024 * 1024;

/** A model file as it was found in the folder. */
export interface FoundModel {
  readonly name: string;
  readonly model: FileStamp;
  readonly sidecar: FileStamp | null;
  /** It changes when a file is written to, replaced, added or removed. */
  readonly signature: string;
  /** The latest write or rename, in milliseconds since the epoch. */
  readonly changedAt: number;
}

/**
 * Answers the models in a folder by name. Subfolders and other files are ignored, links are followed. A folder that
 * does not exist holds none.
 */
export async function scanFolder(folder: string): Promise<ReadonlyMap<string, FoundModel>> {
  const files = await readdir(folder).catch((error: unknown): string[] => {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(codeOf(error))) return [];
    throw error;
  });
  const names = files
    .filter((file) => file.endsWith('.onnx'))
    .map((file) => file.slice(0, -'.onnx'.length))
    .filter((name) => MODEL_NAME.test(name));
  const found = await Promise.all(names.map((name) => findModel(folder, name)));
  return new Map(found.filter((model) => model !== undefined).map((model) => [model.name, model]));
}

/** Answers one model of a folder; undefined where there is no such file. */
export async function findModel(folder: string, name: string): Promise<FoundModel | undefined> {
  if (!MODEL_NAME.test(name)) return undefined;
  const model = await stampOf(path.join(folder, `${name}.onnx`));
  if (model === undefined) return undefined;
  const sidecar = await stampOf(path.join(folder, `${name}.json`));
  return {
    name,
    model: model.stamp,
    sidecar: sidecar?.stamp ?? null,
    signature: `${model.signature}|${sidecar?.signature ?? ''}`,
    changedAt: Math.max(model.changedAt, sidecar?.changedAt ?? 0),
  };
}

/** @throws {ModelRefusedError} naming the field at fault */
export async function readSidecar(stamp: FileStamp | null): Promise<{ text: string; sidecar: Sidecar }> {
  if (stamp === null) return { text: '', sidecar: {} };
  if (stamp.size > SIDECAR_BYTES) throw new ModelRefusedError(`sidecar: larger than ${SIDECAR_BYTES} bytes`);
  const text = await readFile(stamp.path, 'utf8').catch((error: unknown) => {
    throw new ModelRefusedError(`sidecar: it cannot be read (${codeOf(error)})`, { cause: error });
  });
  return { text, sidecar: parseSidecar(text) };
}

export async function stampOf(
  file: string,
): Promise<{ stamp: FileStamp; signature: string; changedAt: number } | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const { size, mtimeMs, ctimeMs, ino } = found;
  return {
    stamp: { path: file, size, mtimeMs },
    signature: `${ino}:${size}:${mtimeMs}`,
    changedAt: Math.max(mtimeMs, ctimeMs),
  };
}

/** Answers the first 12 hex digits of the SHA-256 of files and texts, in which each is followed by its length. */
export async function versionOf(files: readonly string[], texts: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) {
    let bytes = 0;
    try {
      // Chunks take well under a millisecond each, because this is the serving thread.
      for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
        hash.update(chunk as Buffer);
        bytes += (chunk as Buffer).length;
      }
    } catch (error) {
      throw new ModelRefusedError(`the file cannot be read: ${(error as Error).message}`, { cause: error });
    }
    hash.update(`\0${bytes}\0`);
  }
  for (const text of texts) hash.update(text).update(`\0${text.length}\0`);
  return hash.digest('hex').slice(0, 12);
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';
}
