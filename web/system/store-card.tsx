import type { ReactElement } from 'react';
import { Badge } from '../parts/badge.tsx';
import { Card } from '../parts/card.tsx';
import { CopyableId } from '../parts/copyable.tsx';
import { formatBytes, formatCount, formatDuration } from '../parts/format.ts';
import { KeyValues } from '../parts/key-values.tsx';
import { LimitMeter } from '../parts/limit-meter.tsx';
import { When } from '../parts/when.tsx';
import type { System } from './system-page.tsx';

const STATES = { ok: 'can be written', full: 'is full', unwritable: 'cannot be written' } as const;

interface StoreCardProps {
  readonly store: System['store'];
  readonly disks: System['disks'];
}

/** What is durable, how large it is, and how much room its disk has. */
export function StoreCard({ store, disks }: StoreCardProps): ReactElement {
  const { status, folder, size_bytes: size, measured_at: measured, broken_sessions: broken, sweep } = store;
  return (
    <Card
      title="Store and disk"
      beside={<Badge tone={status === 'ok' ? 'good' : 'failed'}>{STATES[status]}</Badge>}
    >
      <KeyValues
        label="Store"
        entries={[
          ['Folder', folder === null ? undefined : <CopyableId key="folder" id={folder} />],
          [
            'Size',
            size === null ? (
              'Not measured yet'
            ) : (
              <span key="size">
                {formatBytes(size)}
                {measured === null ? null : (
                  <span className="quiet small">
                    {' '}
                    measured <When at={measured} />
                  </span>
                )}
              </span>
            ),
          ],
          ['Damaged sessions', formatCount(broken)],
          ['Sweep', sweep === null ? undefined : <Sweep key="sweep" sweep={sweep} />],
        ]}
      />
      <div className="limits">
        {disks.map(({ name, folder: place, free_bytes: free, total_bytes: total }) => (
          <LimitMeter
            key={place}
            name={`Disk of ${name.toLowerCase()}`}
            spent={total - free}
            most={total}
            words={`${formatBytes(free)} free of ${formatBytes(total)}`}
          />
        ))}
      </div>
    </Card>
  );
}

/** The hourly removal of what nobody needs any more. */
function Sweep({ sweep }: { readonly sweep: NonNullable<System['store']['sweep']> }): ReactElement {
  const { last_at: last, took_ms: took, next_at: next } = sweep;
  if (last === null) return <>Under way</>;
  return (
    <>
      {sweep.failure === null ? '' : 'failed '}
      <When at={last} />
      {took === null ? '' : `, in ${formatDuration(took)}`}; again <When at={next} />
    </>
  );
}
