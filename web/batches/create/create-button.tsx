import type { ReactElement } from 'react';
import { Button } from '../../parts/button.tsx';
import { formatCount } from '../../parts/format.ts';
import { Problem } from '../../parts/problem.tsx';
import type { useCreate } from './use-create.ts';

interface CreateButtonProps {
  readonly creating: ReturnType<typeof useCreate>;
  /** How many requests there are. */
  readonly count: number;
}

/** Sends the form; shows how much has arrived, and what the server refuses. */
export function CreateButton({ creating: { action, sent }, count }: CreateButtonProps): ReactElement {
  return (
    <>
      <Problem text={action.problem} />
      <div className="buttons">
        <Button tone="primary" type="submit" busy={action.busy} disabled={count === 0}>
          {count === 0
            ? 'Create'
            : `Create a batch of ${formatCount(count)} ${count === 1 ? 'request' : 'requests'}`}
        </Button>
        {sent === undefined ? null : (
          <progress aria-label="Sent" className="sent" max={sent.of} value={sent.bytes} />
        )}
      </div>
    </>
  );
}
