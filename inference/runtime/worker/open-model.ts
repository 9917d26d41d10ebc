import { readFileSync } from 'node:fs';
import path from 'node:path';
import { foldGraph } from '../../onnx/fold-graph.ts';
import type { ModelSpec } from '../../models/model-spec.ts';
import { readOnnxFacts } from '../../onnx/onnx-facts.ts';
import { resolveSpec } from '../../models/resolve-spec.ts';
import type { LoadedModel, OnnxFiles } from './messages.ts';
import { Session, type SessionOptions } from './session.ts';

/** Larger files are not folded, because folding holds two copies of a file in memory. */
const MAX_FOLDED_BYTES = 256 * 1024 * 1024;

/** A model that the runtime has opened. */
export interface OpenedModel {
  readonly session: Session;
  readonly spec: ModelSpec;
  readonly model: LoadedModel;
  /** Whether the session runs a folded graph and not the file's own. */
  readonly folded: boolean;
}

/**
 * @param fold whether the graph may be folded
 * @throws {ModelRefusedError}
 */
export async function openModel(
  files: OnnxFiles,
  options: Omit<SessionOptions, 'model'>,
  fold: boolean,
): Promise<OpenedModel> {
  const file = files.model.path;
  const facts = await readOnnxFacts(file);
  const folded =
    fold && facts.externalFiles.length === 0 && files.model.size <= MAX_FOLDED_BYTES
      ? foldedFile(file)
      : undefined;
  const session = await Session.open({ ...options, model: folded ?? file });
  const { inputs, outputs } = session;
  const spec = resolveSpec({ ...facts, inputs, outputs }, files.sidecar);
  const batches =
    spec.image !== null &&
    inputs.length === 1 &&
    [...inputs, ...outputs].every(({ shape, datatype }) => shape[0] === -1 && datatype !== 'BYTES');
  const folder = path.dirname(file);
  const externalFiles = facts.externalFiles.map((name) => path.join(folder, name));
  return {
    session,
    spec,
    model: { spec, inputs, outputs, batches, externalFiles, ms: 0 },
    folded: folded !== undefined,
  };
}

function foldedFile(file: string): Uint8Array | undefined {
  const bytes = readFileSync(file);
  try {
    const folded = foldGraph(bytes);
    return folded === bytes ? undefined : folded;
  } catch {
    // The runtime may read a file that cannot be read here.
    return undefined;
  }
}
