import type { ReactElement } from 'react';
import type { Analysis, Model } from '../client/api.ts';
import { Badge, type Tone } from '../parts/badge.tsx';

/** How long each stage of an analysis took. */
export function Timings({
  analysis: { timings, model, image },
}: {
  readonly analysis: Analysis;
}): ReactElement {
  return (
    <section className="card results" aria-label="Timings">
      <h2>Timings</h2>
      <dl className="timings">
        {Object.entries(timings).map(([name, ms]) => (
          <div key={name}>
            <dt>{name.replace(/_ms$/, '')}</dt>
            <dd>{ms.toFixed(1)} ms</dd>
          </div>
        ))}
      </dl>
      <p className="quiet">
        {model}, {image.width} × {image.height} pixels
      </p>
    </section>
  );
}

const STATES = {
  ready: { label: 'ready', tone: 'good' },
  loading: { label: 'loading', tone: 'running' },
  refused: { label: 'refused', tone: 'failed' },
  unloaded: { label: 'not loaded', tone: 'neutral' },
} as const satisfies Record<Model['state'], { readonly label: string; readonly tone: Tone }>;

/** The image models of the server and their states. */
export function ModelList({ models }: { readonly models: readonly Model[] }): ReactElement {
  return (
    <section className="card results" aria-label="Models">
      <h2>Models</h2>
      {models.length === 0 ? <p className="quiet">None yet: put ONNX files into the models folder.</p> : null}
      <ul>
        {models.map(({ name, state, reason, task, default: isDefault }) => (
          <li key={name}>
            <span className="name">{name}</span>
            <span className="quiet">{[task, isDefault ? 'default' : null].filter(Boolean).join(', ')}</span>
            <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>
            {reason === null ? null : <span className="reason">{reason}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
