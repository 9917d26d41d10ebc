import type { ReactElement } from 'react';
import type { DiffLine } from './line-diff.ts';

const SIGNS = { gone: '−', new: '+', same: ' ' } as const;
const WORDS = { gone: 'removed: ', new: 'added: ', same: '' } as const;

interface DiffLinesProps {
  readonly lines: readonly DiffLine[];
  /** What changed, for screen readers. */
  readonly label: string;
}

/** What differs between two texts, line by line. */
export function DiffLines({ lines, label }: DiffLinesProps): ReactElement {
  return (
    <pre className="diff" tabIndex={0} role="group" aria-label={label}>
      {lines.map((line, index) => (
        <DiffRow key={index} {...line} />
      ))}
    </pre>
  );
}

function DiffRow({ kind, text }: DiffLine): ReactElement {
  return (
    <span className={`diff-line ${kind}`}>
      <span aria-hidden="true" className="sign">
        {SIGNS[kind]}
      </span>
      <span className="hidden">{WORDS[kind]}</span>
      {text}
      {'\n'}
    </span>
  );
}

/** The same in two columns, before and after, with what stayed side by side. */
export function SplitLines({ lines, label }: DiffLinesProps): ReactElement {
  return (
    <div className="diff-split" tabIndex={0} role="group" aria-label={label}>
      {pairsOf(lines).map(([left, right], index) => (
        <div key={index} className="diff-pair">
          {left === undefined ? <span className="diff-line none" /> : <DiffRow {...left} />}
          {right === undefined ? <span className="diff-line none" /> : <DiffRow {...right} />}
        </div>
      ))}
    </div>
  );
}

type Pair = readonly [left: DiffLine | undefined, right: DiffLine | undefined];

/** Lines that went and those that came in their place stand beside each other. */
function pairsOf(lines: readonly DiffLine[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let gone: DiffLine[] = [];
  let come: DiffLine[] = [];
  const flush = (): void => {
    for (let at = 0; at < Math.max(gone.length, come.length); at += 1) pairs.push([gone[at], come[at]]);
    gone = [];
    come = [];
  };
  for (const line of lines) {
    if (line.kind === 'gone') gone.push(line);
    else if (line.kind === 'new') come.push(line);
    else {
      flush();
      pairs.push([line, line]);
    }
  }
  flush();
  return pairs;
}
