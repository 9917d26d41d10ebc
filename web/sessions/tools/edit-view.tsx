import { type ReactElement, useMemo } from 'react';
import { Folded } from './folded.tsx';
import { lineDiff } from './line-diff.ts';

interface EditViewProps {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const SIGNS = { gone: '−', new: '+', same: ' ' } as const;
const WORDS = { gone: 'removed: ', new: 'added: ', same: '' } as const;

/** What an edit changes, line by line. */
export function EditView({ path, before, after }: EditViewProps): ReactElement {
  const lines = useMemo(() => lineDiff(before, after), [before, after]);
  const gone = lines.filter(({ kind }) => kind === 'gone').length;
  const added = lines.filter(({ kind }) => kind === 'new').length;
  return (
    <div className="file-view">
      <p className="file-path">
        <code>{path}</code>
        <span className="counts figures">
          <ins>+{added}</ins> <del>−{gone}</del>
        </span>
      </p>
      <Folded text={`${before}\n${after}`}>
        <pre className="diff" tabIndex={0} role="group" aria-label={`Changes in ${path}`}>
          {lines.map(({ kind, text }, index) => (
            <span key={index} className={`diff-line ${kind}`}>
              <span aria-hidden="true" className="sign">
                {SIGNS[kind]}
              </span>
              <span className="hidden">{WORDS[kind]}</span>
              {text}
              {'\n'}
            </span>
          ))}
        </pre>
      </Folded>
    </div>
  );
}
