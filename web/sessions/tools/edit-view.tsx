import { type ReactElement, useMemo } from 'react';
import { DiffLines } from '../../parts/diff-lines.tsx';
import { lineDiff } from '../../parts/line-diff.ts';
import { Folded } from './folded.tsx';

interface EditViewProps {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

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
        <DiffLines lines={lines} label={`Changes in ${path}`} />
      </Folded>
    </div>
  );
}
