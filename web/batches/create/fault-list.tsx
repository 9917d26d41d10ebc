import type { ReactElement } from 'react';
import { formatCount } from '../../parts/format.ts';
import type { CheckedLines } from './lines.ts';

/** What is wrong, by line. */
export function FaultList({ checked }: { readonly checked: CheckedLines }): ReactElement | null {
  const { faults, faulty } = checked;
  if (faulty === 0) return null;
  const more = faulty - faults.length;
  return (
    <div className="line-faults">
      <ul className="plain" aria-label="What is wrong">
        {faults.map(({ line, text }) => (
          <li key={line}>
            <span className="figures quiet">Line {formatCount(line)}</span> <span>{text}</span>
          </li>
        ))}
      </ul>
      {more === 0 ? null : <p className="quiet">And {formatCount(more)} more.</p>}
    </div>
  );
}
