import type { ReactElement } from 'react';
import type { Finding } from './findings.ts';

interface FindingListProps {
  readonly findings: readonly Finding[];
  /** The index of the finding that is highlighted in the picture and in the list. */
  readonly pointed: number | undefined;
  readonly onPoint: (index: number | undefined) => void;
}

/** Lists what was found, one finding to a line. */
export function FindingList({ findings, pointed, onPoint }: FindingListProps): ReactElement {
  if (findings.length === 0) return <p className="quiet">Nothing was found.</p>;
  return (
    <ol className="findings">
      {findings.map(({ label, score, detail }, index) => (
        <li
          key={index}
          className={index === pointed ? 'pointed' : undefined}
          onMouseEnter={() => onPoint(index)}
          onMouseLeave={() => onPoint(undefined)}
        >
          <span className="name">{label}</span>
          {score === null ? null : <span className="quiet">{score.toFixed(2)}</span>}
          {detail === null ? null : <span className="reason quiet">{detail}</span>}
        </li>
      ))}
    </ol>
  );
}
