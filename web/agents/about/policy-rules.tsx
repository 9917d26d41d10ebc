import type { ReactElement } from 'react';
import type { Agent } from '../../client/api.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { WORDS } from '../tool-words.ts';

type Policy = NonNullable<Agent['policy']>;

const TONES = { allow: 'good', ask: 'waiting', deny: 'failed' } as const satisfies Record<string, Tone>;

/** An action policy: its rules in their order; the first that matches decides. */
export function PolicyRules({ policy }: { readonly policy: Policy }): ReactElement {
  if (policy.rules.length === 0) return <p className="quiet">It has no rules.</p>;
  return (
    <ol className="rules">
      {policy.rules.map(({ name, match, decision, message }, index) => (
        <li key={index}>
          <Badge tone={TONES[decision]}>{WORDS[decision]}</Badge>{' '}
          <strong>{name ?? `Rule ${index + 1}`}</strong>
          <p className="small quiet">{conditions(match)}</p>
          {message === undefined ? null : <p className="small">The model is told: {message}</p>}
        </li>
      ))}
    </ol>
  );
}

function conditions(match: Policy['rules'][number]['match']): ReactElement {
  const given = Object.entries(match);
  if (given.length === 0) return <>Every action</>;
  return (
    <>
      {given.map(([name, value], index) => (
        <span key={name}>
          {index === 0 ? '' : ', '}
          {WORDS[name] ?? name} <code>{[value].flat().join(' or ')}</code>
        </span>
      ))}
    </>
  );
}
