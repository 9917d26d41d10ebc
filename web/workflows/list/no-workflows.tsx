import { Link } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';

interface NoWorkflowsProps {
  readonly filtered: boolean;
  readonly onClear: () => void;
}

export function NoWorkflows({ filtered, onClear }: NoWorkflowsProps): ReactElement {
  if (filtered)
    return (
      <EmptyState icon={Workflow} title="No workflow is like this">
        <Button onClick={onClear}>Show all</Button>
      </EmptyState>
    );
  return (
    <EmptyState icon={Workflow} title="No workflow yet">
      <p>
        Each session runs in a workflow, and so does each actor that you start with the statechart library.
      </p>
      <Link to="/" className="button primary">
        Start a session
      </Link>
    </EmptyState>
  );
}
