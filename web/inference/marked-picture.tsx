import type { ReactElement } from 'react';
import type { Finding } from './findings.ts';

interface Pointing {
  readonly findings: readonly Finding[];
  /** The index of the finding that is highlighted in the picture and in the list. */
  readonly pointed: number | undefined;
  readonly onPoint: (index: number | undefined) => void;
}

interface MarkedPictureProps extends Pointing {
  readonly url: string;
  readonly name: string;
  /** In pixels, as the server sees it; undefined until it has. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
}

/** A picture with what was found drawn over it. */
export function MarkedPicture({
  url,
  name,
  size,
  findings,
  pointed,
  onPoint,
}: MarkedPictureProps): ReactElement {
  return (
    <div className="marked">
      <img src={url} alt={name} draggable={false} />
      {size === undefined ? null : (
        <svg viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={`${findings.length} found`}>
          {findings.map(({ points, label }, index) =>
            points === null ? null : (
              <polygon
                key={index}
                points={points}
                className={index === pointed ? 'pointed' : undefined}
                onMouseEnter={() => onPoint(index)}
                onMouseLeave={() => onPoint(undefined)}
              >
                <title>{label}</title>
              </polygon>
            ),
          )}
        </svg>
      )}
    </div>
  );
}

/** Lists what was found, one finding to a line. */
export function FindingList({ findings, pointed, onPoint }: Pointing): ReactElement {
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
