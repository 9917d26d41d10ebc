import type { ReactElement } from 'react';
import { formatCount } from '../parts/format.ts';
import { LimitMeter } from '../parts/limit-meter.tsx';
import { When } from '../parts/when.tsx';
import type { CallingKey } from './keys-page.tsx';

type Limit = CallingKey['limits'][number];

const WHAT = {
  requests: 'Requests a minute',
  input_tokens: 'Tokens a minute that models read',
  output_tokens: 'Tokens a minute that models write',
  streams: 'Streamed replies at a time',
} as const satisfies Record<Limit['what'], string>;

const LANES = {
  messages: 'for replies',
  count_tokens: 'to count tokens',
  batches: 'for new batches',
} as const satisfies Record<Limit['lane'], string>;

/** How much of each limit is used up now. */
export function KeyLimits({ limits }: { readonly limits: readonly Limit[] }): ReactElement {
  const open = limits.filter(({ limit }) => limit === null);
  const names = [...new Set(open.map(nameOf))];
  return (
    <div className="limits">
      {limits.map((each) => (
        <Meter key={`${each.lane} ${each.what}`} each={each} />
      ))}
      {names.length === 0 ? null : (
        <p className="quiet">
          {open.length === limits.length
            ? 'There are no limits of its own.'
            : `Without a limit: ${names.join('; ')}.`}
        </p>
      )}
      <p className="quiet small">
        Each process of the server counts for itself. What sessions and batches ask models uses up nothing
        here.
      </p>
    </div>
  );
}

function Meter({ each }: { readonly each: Limit }): ReactElement | null {
  const { limit, remaining, full_at: full } = each;
  if (limit === null || remaining === null) return null;
  const spent = limit - remaining;
  return (
    <div>
      <LimitMeter
        name={nameOf(each)}
        spent={spent}
        most={limit}
        words={`${formatCount(spent)} of ${formatCount(limit)} used`}
      />
      {full === null || spent === 0 ? null : (
        <p className="quiet small">
          All of it is there again at <When at={full} as="clock" />.
        </p>
      )}
    </div>
  );
}

function nameOf({ lane, what }: Limit): string {
  return what === 'requests' ? `${WHAT[what]} ${LANES[lane]}` : WHAT[what];
}
