import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/**
 * Stamps say which content of which files something was made from. A file whose time and size are as recorded is
 * taken as unchanged without being read; otherwise its content decides, so a fresh checkout or a touch rebuilds nothing.
 */

function fingerprint(file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile()) return undefined;
  return { mtimeMs: stat.mtimeMs, size: stat.size };
}

function contentHash(file) {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex');
}

/** Records the content of `inputs` (paths under `root`) and the presence of `outputs`. */
export function writeStamp(stampFile, root, inputs, outputs) {
  const record = { inputs: {}, outputs: {} };
  for (const name of new Set(inputs)) {
    const file = path.join(root, name);
    record.inputs[name] = { ...fingerprint(file), sha256: contentHash(file) };
  }
  for (const name of outputs) record.outputs[name] = fingerprint(path.join(root, name));
  fs.mkdirSync(path.dirname(stampFile), { recursive: true });
  writeWhole(stampFile, JSON.stringify(record));
}

/** Why the stamped thing must be made again, in a few words; `undefined` when it is current. */
export function staleReason(stampFile, root) {
  let record;
  try {
    record = JSON.parse(fs.readFileSync(stampFile, 'utf8'));
  } catch {
    return 'never built';
  }
  for (const [name, { size }] of Object.entries(record.outputs)) {
    if (fingerprint(path.join(root, name))?.size !== size) return `${name} is missing or was changed`;
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

/** Writes beside and renames, so that a reader or a second build never sees half a file. */
export function writeWhole(file, content) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.tmp`;
  fs.writeFileSync(draft, content);
  fs.renameSync(draft, file);
}
