import type { ReactElement } from 'react';
import { JsonTree } from '../../parts/json-tree.tsx';
import { markedPlaces } from '../chart/context-places.ts';
import type { Step } from '../chart/step.ts';

interface ContextPanelProps {
  readonly step: Step | undefined;
  readonly context: unknown;
}

/** The machine's context after the step, with what the step has changed. */
export function ContextPanel({ step, context }: ContextPanelProps): ReactElement {
  // The first step has made all of it, which says nothing.
  const changed = (step?.changed ?? []).filter(({ path, before }) => path !== '' || before !== undefined);
  return (
    <div className="context-panel">
      {changed.length === 0 ? null : (
        <ul className="plain context-changes" aria-label="What the step has changed">
          {changed.map(({ path, before, after }) => (
            <li key={path}>
              <span className="mono">{path === '' ? 'all' : path}</span> <del>{shortText(before)}</del>{' '}
              <ins>{shortText(after)}</ins>
            </li>
          ))}
        </ul>
      )}
      <JsonTree value={context ?? null} label="Context" open={2} marked={markedPlaces(changed, context)} />
    </div>
  );
}

function shortText(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
