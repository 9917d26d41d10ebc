import { RotateCw, TriangleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import { messageOf } from '../client/request.ts';
import { Button } from './button.tsx';

interface ErrorStateProps {
  /** What was thrown, or a sentence. */
  readonly error: unknown;
  readonly retry?: (() => unknown) | undefined;
}

/** In place of what could not be loaded: why, and another try. */
export function ErrorState({ error, retry }: ErrorStateProps): ReactElement {
  return (
    <div className="error-state" role="alert">
      <TriangleAlert size={18} aria-hidden />
      <p>{messageOf(error)}</p>
      {retry === undefined ? null : (
        <Button size="small" onClick={() => void retry()}>
          <RotateCw size={14} aria-hidden />
          Try again
        </Button>
      )}
    </div>
  );
}
