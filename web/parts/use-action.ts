import { useState } from 'react';
import { messageOf } from '../client/request.ts';

export interface Action {
  readonly busy: boolean;
  readonly problem: string | undefined;
  readonly run: (work: () => Promise<void>) => void;
}

/** Runs one thing at a time that a person asked for, and says what went wrong with it. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const perform = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, run: (work) => void perform(work) };
}
