import type { OnnxFacts } from '../onnx/onnx-facts.ts';
import { parseLiteral } from './literal.ts';

type Metadata = OnnxFacts['metadata'];

const MAX_LABELS = 100_000;

/**
 * Reads class names by index from the file's metadata: `names` is a list, or a dictionary from index to name, in JSON
 * or Python's notation. A missing index gets `class-N`. Null where there are none.
 */
export function labelsFrom(metadata: Metadata): readonly string[] | null {
  const names = parseLiteral(metadata['names'] ?? '');
  if (Array.isArray(names)) return names.length > 0 && names.every(isText) ? names : null;
  if (typeof names !== 'object' || names === null) return null;
  const entries = Object.entries(names);
  if (entries.length === 0 || entries.length > MAX_LABELS) return null;
  const last = Math.max(...entries.map(([index]) => Number(index)));
  if (!entries.every(([index, name]) => /^\d+$/.test(index) && isText(name)) || !(last < MAX_LABELS))
    return null;
  const byIndex = new Map(entries.map(([index, name]) => [Number(index), String(name)]));
  return Array.from({ length: last + 1 }, (_, index) => byIndex.get(index) ?? `class-${index}`);
}

/**
 * Reads a text recogniser's characters from the metadata: PP-OCR's converters write one on each line of `character`.
 */
export function charactersFrom(metadata: Metadata): readonly string[] | null {
  const lines = (metadata['character'] ?? '').split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines.length === 0 ? null : lines;
}

/** Reads the input size that the model was exported for: `imgsz` is a number or `[height, width]`. */
export function imageSizeFrom(metadata: Metadata): { width: number; height: number } | null {
  const size = parseLiteral(metadata['imgsz'] ?? '');
  const [height, width = height] = Array.isArray(size) ? (size as readonly unknown[]) : [size];
  return isSide(height) && isSide(width) ? { width, height } : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isSide(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 16_384;
}
