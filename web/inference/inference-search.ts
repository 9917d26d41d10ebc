/** What of an answer is shown, in the address. What is absent is as it is at first: everything is drawn. */
export interface InferenceSearch {
  /** The image model that is chosen. */
  readonly model?: string;
  /** How the answer is told; the list unless said otherwise. */
  readonly tab?: 'json' | 'call';
  /** Layers that are not drawn, with commas between them. */
  readonly hide?: string;
  /** Labels whose findings are not drawn, percent-encoded, with commas between them. */
  readonly without?: string;
}

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

export function inferenceSearch({ model, tab, hide, without }: Record<string, unknown>): InferenceSearch {
  return {
    ...(text(model) === '' ? {} : { model: text(model) }),
    ...(tab === 'json' || tab === 'call' ? { tab } : {}),
    ...(text(hide) === '' ? {} : { hide: text(hide) }),
    ...(text(without) === '' ? {} : { without: text(without) }),
  };
}

export const hiddenLayers = ({ hide = '' }: InferenceSearch): ReadonlySet<string> =>
  new Set(hide.split(',').filter((name) => name !== ''));

export const hiddenLabels = ({ without = '' }: InferenceSearch): ReadonlySet<string> =>
  new Set(
    without
      .split(',')
      .filter((label) => label !== '')
      .map((label) => decoded(label)),
  );

/** The words for the address; undefined where everything is shown. */
export const layersText = (hidden: ReadonlySet<string>): string | undefined =>
  hidden.size === 0 ? undefined : [...hidden].toSorted().join(',');

export const labelsText = (hidden: ReadonlySet<string>): string | undefined =>
  hidden.size === 0 ? undefined : [...hidden].toSorted().map(encodeURIComponent).join(',');

/** An address that somebody has cut off is no fault of the page. */
function decoded(label: string): string {
  try {
    return decodeURIComponent(label);
  } catch {
    return label;
  }
}
