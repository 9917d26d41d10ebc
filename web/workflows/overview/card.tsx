import { type ReactElement, type ReactNode, useId } from 'react';

interface CardProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Takes the whole width. */
  readonly wide?: boolean;
}

/** A part of what is told of a workflow. */
export function Card({ title, children, wide = false }: CardProps): ReactElement {
  const id = useId();
  return (
    <section className={wide ? 'card overview-card wide' : 'card overview-card'} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
