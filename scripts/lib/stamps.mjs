import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/**
 * A stamp says from which content of which files something was made. A file whose time and size are as recorded counts as
 * unchanged without being read; otherwise its content decides, so a fresh checkout or a touch rebuilds nothing.
 * @typedef {object} Stamp
 * @property {Record<string, Fingerprint & { readonly sha256: string }>} inputs
 * @property {Record<string, Fingerprint | undefined>} outputs
 */
/** @typedef {{ mtimeMs: number, readonly size: number }} Fingerprint */

/** @type {(file: string) => Fingerprint | undefined} */
function fingerprint(file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile()) return undefined;
  return { mtimeMs: stat.mtimeMs, size: stat.size };
}

/** @type {(file: string) => string} */
function contentHash(file) {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex');
}

/**
 * Records the content of `inputs` (paths under `root`) and the presence of `outputs`.
 * @type {(stampFile: string, root: string, inputs: readonly string[], outputs: readonly string[]) => void}
 */
export function writeStamp(stampFile, root, inputs, outputs) {
  /** @type {Stamp} */
  const record = { inputs: {}, outputs: {} };
  for (const name of new Set(inputs)) {
    const file = path.join(root, name);
    const { mtimeMs, size } = fs.statSync(file);
    record.inputs[name] = { mtimeMs, size, sha256: contentHash(file) };
  }
  for (const name of outputs) record.outputs[name] = fingerprint(path.join(root, name));
  fs.mkdirSync(path.dirname(stampFile), { recursive: true });
  writeWhole(stampFile, JSON.stringify(record));
}

/**
 * Why the stamped thing must be made again, in a few words; `undefined` when it is current.
 * @type {(stampFile: string, root: string) => string | undefined}
 */
export function staleReason(stampFile, root) {
  /** @type {Stamp} */
  let record;
  try {
    record = /** @type {Stamp} */ (JSON.parse(fs.readFileSync(stampFile, 'utf8')));
  } catch {
    return 'never built';
  }
  for (const [name, recorded] of Object.entries(record.outputs)) {
    if (fingerprint(path.join(root, name))?.size !== recorded?.size)
      return `${name} is missing or was changed`;
  }
  let touched = false;
  for (const [name, recorded] of Object.entries(record.inputs)) {
    const file = path.join(root, name);
    const now = fingerprint(file);
    if (now === undefined) return `${name} is gone`;
    if (now.mtimeMs === recorded.mtimeMs && now.size === recorded.size) continue;
    if (now.size !== recorded.size || contentHash(file) !== recorded.sha256) return `${name} changed`;
    recorded.mtimeMs = now.mtimeMs;
    touched = true;
  }
  if (touched) writeWhole(stampFile, JSON.stringify(record));
  return undefined;
}

/**
 * Writes another file and renames it, so that a reader or a second build never sees half a file.
 * @type {(file: string, content: string | Uint8Array) => void}
 */
export function writeWhole(file, content) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.tmp`;
  fs.writeFileSync(draft, content);
  fs.renameSync(draft, file);
}
