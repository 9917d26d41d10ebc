import { readFileSync } from 'node:fs';
import path from 'node:path';

/** What OpenCV reads; null where it refuses. */
export interface Reading {
  readonly shape: readonly [height: number, width: number, channels: number];
  readonly type: 'uint8' | 'uint16';
  readonly sha256: string;
}

export interface GoldenFile {
  readonly base64: string;
  readonly color: Reading | null;
  readonly unchanged: Reading | null;
}

let golden: ReadonlyMap<string, GoldenFile> | undefined;

/** Image files of every kind with what OpenCV reads of them, made by test/oracle/images/record_images.py. */
export function goldenFiles(): ReadonlyMap<string, GoldenFile> {
  if (golden === undefined) {
    const file = path.resolve(__dirname, '../../oracle/images/images.json');
    const { files } = JSON.parse(readFileSync(file, 'utf8')) as { files: Record<string, GoldenFile> };
    golden = new Map(Object.entries(files));
  }
  return golden;
}

/** The bytes of one of them. */
export function goldenBytes(name: string): Uint8Array {
  const file = goldenFiles().get(name);
  if (file === undefined) throw new Error(`no golden file ${name}`);
  return Buffer.from(file.base64, 'base64');
}
