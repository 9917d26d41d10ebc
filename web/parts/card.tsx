import { type ReactElement, type ReactNode, useId } from 'react';

interface CardProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Beside the title, e.g. a badge. */
  readonly beside?: ReactNode;
  /** Takes the whole width. */
  readonly wide?: boolean;
}

/** A part of what a page tells, under a heading. */
export function Card({ title, children, beside, wide = false }: CardProps): ReactElement {
  const id = useId();
  return (
    <section className={wide ? 'card overview-card wide' : 'card overview-card'} aria-labelledby={id}>
      {beside === undefined ? (
        <h2 id={id}>{title}</h2>
      ) : (
        <div className="card-head">
          <h2 id={id}>{title}</h2>
          {beside}
        </div>
      )}
      {children}
    </section>
  );
}
