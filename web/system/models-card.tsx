import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Badge, type Tone } from '../parts/badge.tsx';
import { Card } from '../parts/card.tsx';
import type { System } from './system-page.tsx';

const IMAGE_MODELS = {
  ready: ['ready', 'good'],
  loading: ['loading', 'running'],
  refused: ['refused', 'failed'],
  unloaded: ['not loaded', 'neutral'],
} as const satisfies Record<System['inference']['models'][number]['state'], readonly [string, Tone]>;

const PROVIDERS: Readonly<Record<string, readonly [string, Tone]>> = {
  ok: ['answers', 'good'],
  limited: ['asks for less', 'waiting'],
  failing: ['fails', 'failed'],
  unknown: ['not asked yet', 'neutral'],
  off: ['off', 'neutral'],
};

/** Image models and providers of language models, with their states. */
export function ModelsCard({ inference, providers }: Pick<System, 'inference' | 'providers'>): ReactElement {
  return (
    <Card title="Models">
      <h3>
        <Link to="/models">Providers of language models</Link>
      </h3>
      {providers.length === 0 ? <p className="quiet">None.</p> : null}
      <ul className="plain states">
        {providers.map(({ name, state }) => {
          const [label, tone] = PROVIDERS[state] ?? [state, 'neutral'];
          return (
            <li key={name}>
              <span>{name}</span>
              <Badge tone={tone}>{label}</Badge>
            </li>
          );
        })}
      </ul>
      <h3>
        <Link to="/inference">Image models</Link>
      </h3>
      {inference.models.length === 0 ? <p className="quiet">None.</p> : null}
      <ul className="plain states">
        {inference.models.map(({ name, state }) => {
          const [label, tone] = IMAGE_MODELS[state];
          return (
            <li key={name}>
              <span>{name}</span>
              <Badge tone={tone}>{label}</Badge>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
