import { type ReactElement, useId, useMemo } from 'react';
import type { Agent } from '../../client/api.ts';
import { DiffLines, SplitLines } from '../../parts/diff-lines.tsx';
import type { DiffView } from '../agent-search.ts';
import { type FieldChange, fieldChanges } from './field-changes.ts';

interface VersionDiffProps {
  readonly before: Agent;
  readonly after: Agent;
  readonly view: DiffView;
}

/** What two versions differ in. */
export function VersionDiff({ before, after, view }: VersionDiffProps): ReactElement {
  const changes = useMemo(() => fieldChanges(before, after), [before, after]);
  if (changes.length === 0)
    return (
      <p className="quiet">
        Versions {before.version} and {after.version} are the same.
      </p>
    );
  return (
    <div className="stack">
      {changes.map((change) => (
        <ChangedField key={change.field} change={change} view={view} />
      ))}
    </div>
  );
}

function ChangedField({
  change: { label, lines },
  view,
}: {
  readonly change: FieldChange;
  readonly view: DiffView;
}): ReactElement {
  const id = useId();
  const added = lines.filter(({ kind }) => kind === 'new').length;
  const gone = lines.filter(({ kind }) => kind === 'gone').length;
  const Lines = view === 'split' ? SplitLines : DiffLines;
  return (
    <section aria-labelledby={id} className="changed-field">
      <h2 id={id}>
        {label}{' '}
        <span className="counts figures">
          <ins>+{added}</ins> <del>−{gone}</del>
        </span>
      </h2>
      <Lines lines={lines} label={`Changes in ${label}`} />
    </section>
  );
}
