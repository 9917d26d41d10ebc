import type { ReactElement } from 'react';

interface LoadingProps {
  /** What is on its way, for screen readers. */
  readonly label?: string;
  /** How many lines stand for what will come. */
  readonly rows?: number;
}

/** Grey lines in the place of what is on its way. They appear after a moment, because most answers are there sooner. */
export function Loading({ label = 'Loading', rows = 3 }: LoadingProps): ReactElement {
  return (
    <div className="loading" role="status">
      <span className="hidden">{label}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="bone" />
      ))}
    </div>
  );
}
