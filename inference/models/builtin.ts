import type { Sidecar } from './sidecar.ts';

/**
 * The sidecars of the text models that are shipped, with the pixels as PP-OCR was trained on them: channels in the order
 * blue, green, red with ImageNet's mean and deviation for the detector, -1 to 1 for the recogniser.
 *
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
      // A line as high as the model takes, and as long as most are; shorter ones are filled up with the mean.
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
