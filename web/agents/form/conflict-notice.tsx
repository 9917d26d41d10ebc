import type { ReactElement } from 'react';
import type { Agent } from '../../client/api.ts';
import { Button } from '../../parts/button.tsx';
import { VersionDiff } from '../versions/version-diff.tsx';

interface ConflictNoticeProps {
  /** The version that was being changed. */
  readonly begun: Agent;
  /** The one that is there now. */
  readonly newer: Agent;
  readonly onReload: () => void;
}

/** Somebody else was quicker: what they changed, and what can be done about it. */
export function ConflictNotice({ begun, newer, onReload }: ConflictNoticeProps): ReactElement {
  return (
    <section className="conflict" aria-label="Changed meanwhile" role="alert">
      <p className="notice">
        Somebody made version {newer.version} while you were writing on version {begun.version}. “Save over
        it” puts yours in its place; the other one stays among the versions.
      </p>
      <Button onClick={onReload}>Drop mine and begin with version {newer.version}</Button>
      <p className="quiet">This is what they changed:</p>
      <VersionDiff before={begun} after={newer} view="unified" />
    </section>
  );
}
