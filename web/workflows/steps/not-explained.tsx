import { Workflow } from 'lucide-react';
import type { ReactElement } from 'react';
import { EmptyState } from '../../parts/empty-state.tsx';
import { JsonTree } from '../../parts/json-tree.tsx';
import type { Explained } from '../explained/read-explained.ts';

/** Why there are no macrosteps, and what the workflow itself tells of its machine. */
export function NotExplained({
  explanation: { reason, queries },
}: {
  readonly explanation: Explained;
}): ReactElement {
  const told =
    queries === null
      ? []
      : Object.entries(queries).filter(([name, value]) => name !== 'errors' && value != null);
  return (
    <>
      <EmptyState icon={Workflow} title="There are no macrosteps to show">
        <p>{reason ?? 'This server knows no state machine of this workflow.'}</p>
      </EmptyState>
      {told.map(([name, value]) => (
        <section key={name} className="card overview-card">
          <h2>What the query “{name}” answers</h2>
          <JsonTree value={value} label={name} />
        </section>
      ))}
    </>
  );
}
