import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { CheckField } from '../parts/check-field.tsx';
import type { Finding } from './findings.ts';
import {
  hiddenLabels,
  hiddenLayers,
  type InferenceSearch,
  labelsText,
  layersText,
} from './inference-search.ts';
import { LAYER_LABELS, labelsOf, layersOf } from './layers.ts';

/** Labels that stand here, at most; the list beside the picture has all of them. */
const MOST = 24;

/** What is drawn over the picture: layer by layer, and class by class. */
export function LayerBar({ findings }: { readonly findings: readonly Finding[] }): ReactElement | null {
  const search = useSearch({ from: '/inference' });
  const navigate = useNavigate({ from: '/inference' });
  const layers = layersOf(findings);
  const labels = labelsOf(findings);
  if (layers.length === 0) return null;
  const noLayers = hiddenLayers(search);
  const noLabels = hiddenLabels(search);
  const change = (next: { [Key in keyof InferenceSearch]: InferenceSearch[Key] | undefined }): void =>
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...next }).filter(([, value]) => value !== undefined),
        ) as InferenceSearch,
      replace: true,
      resetScroll: false,
    });
  return (
    <div className="layer-bar" role="group" aria-label="What is drawn">
      {layers.map((layer) => (
        <CheckField
          key={layer}
          label={LAYER_LABELS[layer]}
          checked={!noLayers.has(layer)}
          onChange={(on) => change({ hide: layersText(toggled(noLayers, layer, on)) })}
        />
      ))}
      {labels.length < 2 && noLabels.size === 0 ? null : (
        <div className="layer-labels" role="group" aria-label="Classes">
          {labels.slice(0, MOST).map(({ label, count }) => (
            <CheckField
              key={label}
              label={`${label} (${count})`}
              checked={!noLabels.has(label)}
              onChange={(on) => change({ without: labelsText(toggled(noLabels, label, on)) })}
            />
          ))}
          {labels.length > MOST ? <span className="quiet small">and {labels.length - MOST} more</span> : null}
        </div>
      )}
    </div>
  );
}

function toggled(hidden: ReadonlySet<string>, name: string, on: boolean): ReadonlySet<string> {
  return new Set(on ? [...hidden].filter((other) => other !== name) : [...hidden, name]);
}
