import type { ReactElement } from 'react';
import { When } from '../../parts/when.tsx';

interface MomentButtonProps {
  readonly at: string | undefined;
  readonly onChoose: () => void;
}

/** The time of a row; pressed, it shows the screen and the scrubber at that moment. */
export function MomentButton({ at, onChoose }: MomentButtonProps): ReactElement | null {
  if (at === undefined) return null;
  return (
    <button type="button" className="moment" title="Show this moment" onClick={onChoose}>
      <span className="hidden">Show the moment </span>
      <When as="clock" at={at} />
    </button>
  );
}
