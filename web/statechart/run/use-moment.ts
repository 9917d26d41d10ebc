import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Step } from '../chart/step.ts';
import { momentSearch } from './moment.ts';

export interface Moment {
  /** The step that is looked at; undefined while there is none. */
  readonly step: Step | undefined;
  readonly number: number;
  readonly isNewest: boolean;
  /** Undefined: follow the newest one. */
  readonly go: (number: number | undefined) => void;
}

/** The moment at which chart, context and history stand still. It lives in the address of whichever page shows them. */
export function useMoment(steps: readonly Step[]): Moment {
  const { step: asked } = momentSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const number = Math.min(asked ?? steps.length, steps.length);
  const go = (next: number | undefined): void => {
    const step = next === undefined ? undefined : Math.max(1, Math.min(next, steps.length));
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => {
        const { step: _, ...rest } = before;
        return (step === undefined ? rest : { ...rest, step }) as never;
      },
      replace: true,
      resetScroll: false,
    });
  };
  return { step: steps[number - 1], number, isNewest: asked === undefined, go };
}
