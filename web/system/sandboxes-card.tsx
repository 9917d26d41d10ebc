import type { ReactElement } from 'react';
import { Badge } from '../parts/badge.tsx';
import { Card } from '../parts/card.tsx';
import { formatCount } from '../parts/format.ts';
import { KeyValues } from '../parts/key-values.tsx';
import type { System } from './system-page.tsx';

/** The agents' computers, and the machines that lend themselves for them. */
export function SandboxesCard({ sandboxes }: { readonly sandboxes: System['sandboxes'] }): ReactElement {
  const { available, isolation, counts, pool } = sandboxes;
  const figure = (value: number | undefined): string | undefined =>
    value === undefined ? undefined : formatCount(value);
  return (
    <Card
      title="Sandboxes"
      beside={
        <Badge tone={available ? 'good' : 'waiting'}>{available ? 'desktop available' : 'no desktop'}</Badge>
      }
    >
      <KeyValues
        label="Sandboxes"
        entries={[
          ['Isolation', isolation ?? 'none found'],
          ['Running', figure(counts?.running)],
          ['Starting', figure(counts?.starting)],
          ['Stopped', figure(counts?.stopped)],
          ['Failed', figure(counts?.failed)],
          ['Lost', figure(counts?.lost)],
        ]}
      />
      {counts === null ? <p className="notice">The list of sandboxes cannot be had now.</p> : null}
      {pool === null ? (
        <p className="quiet small">There is no pool of machines: sandboxes run on this one.</p>
      ) : (
        <KeyValues
          label="Pool of machines"
          entries={[
            ['Machines of the pool', formatCount(pool.members)],
            ['Wanted', formatCount(pool.used + pool.waiting)],
            ['Free places', formatCount(pool.free)],
            ['Waiting for a place', formatCount(pool.waiting)],
            ['Draining', formatCount(pool.draining)],
            ['Away', formatCount(pool.away)],
          ]}
        />
      )}
    </Card>
  );
}
