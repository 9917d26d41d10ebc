import type { ReactElement, ReactNode } from 'react';

/** What a colour stands for, all over the page. `running` moves. */
export type Tone = 'neutral' | 'running' | 'good' | 'waiting' | 'failed' | 'info';

interface BadgeProps {
  readonly tone: Tone;
  readonly children: ReactNode;
  /** Without the dot, for labels that are no status. */
  readonly plain?: boolean;
}

/** A status in a word, with a colour that only repeats what the word says. */
export function Badge({ tone, children, plain }: BadgeProps): ReactElement {
  return (
    <span className={`badge ${tone}`}>
      {plain === true ? null : <span className="dot" aria-hidden="true" />}
      {children}
    </span>
  );
}
