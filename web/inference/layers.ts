import type { Finding } from './findings.ts';

/** What can be drawn over a picture, each by itself. */
export const LAYERS = ['boxes', 'labels', 'text'] as const;
export type Layer = (typeof LAYERS)[number];

export const LAYER_LABELS = { boxes: 'Boxes', labels: 'Labels', text: 'Text' } as const;

/** The layers that these findings fill. */
export function layersOf(findings: readonly Finding[]): readonly Layer[] {
  const placed = findings.filter(({ points }) => points !== null);
  if (placed.length === 0) return [];
  return LAYERS.filter((layer) =>
    layer === 'boxes' ? true : placed.some(({ isText }) => isText === (layer === 'text')),
  );
}

/** Labels with how many findings have each, the most frequent first; of texts there are as many as lines. */
export function labelsOf(
  findings: readonly Finding[],
): readonly { readonly label: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { label, points, isText } of findings)
    if (points !== null && !isText) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].map(([label, count]) => ({ label, count })).toSorted((a, b) => b.count - a.count);
}

/** How many colours there are for labels; `inference.css` has them. */
const HUES = 6;

/** The colour of each label, by its place in the alphabet, so that it is the same on every picture with the same labels. */
export function huesOf(findings: readonly Finding[]): ReadonlyMap<string, number> {
  const labels = [...new Set(findings.filter(({ isText }) => !isText).map(({ label }) => label))].toSorted();
  return new Map(labels.map((label, index) => [label, index % HUES]));
}
