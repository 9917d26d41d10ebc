import type { ReactElement } from 'react';
import { type Landmark, LANDMARKS, nextLandmark } from './moments.ts';
import type { MomentView } from './use-moment.ts';

const NAMES: Readonly<Record<Landmark, readonly [one: string, many: string]>> = {
  error: ['error', 'errors'],
  approval: ['approval', 'approvals'],
  takeover: ['takeover', 'takeovers'],
};

/** Goes to the next moment of a kind, and begins again after the last. */
export function jumpTo({ moments, held, go }: MomentView, landmark: Landmark): void {
  const next = held === undefined ? undefined : nextLandmark(moments, held, landmark);
  const found = next ?? nextLandmark(moments, -1, landmark);
  if (found !== undefined) go(found);
}

/** Buttons that jump to errors, approvals and takeovers, where there are any. */
export function Landmarks({ view }: { readonly view: MomentView }): ReactElement {
  return (
    <span className="landmarks">
      {LANDMARKS.map((landmark) => {
        const count = view.moments.filter((moment) => moment.landmark === landmark).length;
        if (count === 0) return null;
        const [one, many] = NAMES[landmark];
        return (
          <button
            key={landmark}
            type="button"
            className={`landmark is-${landmark}`}
            title={`To the next ${one}`}
            onClick={() => jumpTo(view, landmark)}
          >
            {count} {count === 1 ? one : many}
          </button>
        );
      })}
    </span>
  );
}
