import type { ReactElement } from 'react';
import type { Finding } from './findings.ts';
import { huesOf, type Layer } from './layers.ts';

interface MarkedPictureProps {
  readonly url: string;
  readonly name: string;
  /** In pixels, as the server sees it; undefined until it has. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
  readonly findings: readonly Finding[];
  readonly hiddenLayers: ReadonlySet<string>;
  readonly hiddenLabels: ReadonlySet<string>;
  /** The index of the finding that is highlighted in the picture and in the list. */
  readonly pointed: number | undefined;
  readonly onPoint: (index: number | undefined) => void;
}

/** A picture with what was found drawn over it. */
export function MarkedPicture(props: MarkedPictureProps): ReactElement {
  const { url, name, size, findings, hiddenLayers, hiddenLabels, pointed, onPoint } = props;
  const hues = huesOf(findings);
  const shown = findings.flatMap((finding, index) => {
    const isHidden = !finding.isText && hiddenLabels.has(finding.label);
    return finding.points === null || isHidden ? [] : [{ ...finding, index }];
  });
  const isDrawn = (layer: Layer): boolean => !hiddenLayers.has(layer);
  return (
    <div className="marked">
      <img src={url} alt={name} draggable={false} />
      {size === undefined ? null : (
        <svg viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={`${shown.length} found`}>
          {isDrawn('boxes')
            ? shown.map(({ points, label, index }) => (
                <polygon
                  key={index}
                  points={points ?? ''}
                  className={classOf(hues.get(label), index === pointed)}
                  onMouseEnter={() => onPoint(index)}
                  onMouseLeave={() => onPoint(undefined)}
                >
                  <title>{label}</title>
                </polygon>
              ))
            : null}
          {shown.map((finding) => (
            <Words
              key={finding.index}
              finding={finding}
              isDrawn={isDrawn(finding.isText ? 'text' : 'labels')}
              unit={size.width / 60}
            />
          ))}
        </svg>
      )}
    </div>
  );
}

const classOf = (hue: number | undefined, isPointed: boolean): string | undefined =>
  [hue === undefined ? '' : `hue-${hue}`, isPointed ? 'pointed' : ''].filter(Boolean).join(' ') || undefined;

interface WordsProps {
  readonly finding: Finding;
  readonly isDrawn: boolean;
  /** A small letter's height, in the picture's pixels. */
  readonly unit: number;
}

/** What was read, as wide as it stands in the picture, or of which class something is, above it. */
function Words({ finding: { label, score, frame, isText }, isDrawn, unit }: WordsProps): ReactElement | null {
  if (!isDrawn || frame === null) return null;
  const { x, y, width, height } = frame;
  if (isText)
    return (
      <text
        className="read"
        x={x}
        y={y + height * 0.8}
        fontSize={height * 0.8}
        textLength={width}
        lengthAdjust="spacingAndGlyphs"
        aria-hidden
      >
        {label}
      </text>
    );
  return (
    <text className="label" x={x} y={Math.max(unit * 1.6, y - unit * 0.4)} fontSize={unit * 1.6} aria-hidden>
      {score === null ? label : `${label} ${score.toFixed(2)}`}
    </text>
  );
}
