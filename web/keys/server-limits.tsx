import type { ReactElement } from 'react';
import { formatCount, formatDuration } from '../parts/format.ts';
import type { CallingKey } from './keys-page.tsx';

type Limit = CallingKey['server_limits'][number];

/** Limits that hold for every key, with the variable that sets each. */
export function ServerLimits({ limits }: { readonly limits: readonly Limit[] }): ReactElement {
  return (
    <div className="wide-table" tabIndex={0} role="group" aria-label="Limits for everybody, scrolled">
      <table aria-label="Limits for everybody" className="figures">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">At most</th>
            <th scope="col">Set by</th>
          </tr>
        </thead>
        <tbody>
          {limits.map((limit) => (
            <tr key={limit.name}>
              <th scope="row">{limit.name}</th>
              <td>{amountOf(limit)}</td>
              <td>
                {limit.setting === null ? <span className="quiet">fixed</span> : <code>{limit.setting}</code>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const MIB = 1024 * 1024;

function amountOf({ value, unit }: Limit): string {
  if (value === null) return 'no limit of its own';
  switch (unit) {
    case 'bytes':
      return `${formatCount(value / MIB)} MiB`;
    case 'mib':
      return `${formatCount(value)} MiB`;
    case 'ms':
      return formatDuration(value);
    case 'pixels':
    case 'count':
      return formatCount(value);
  }
}
