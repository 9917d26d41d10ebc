import type { LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';

interface EmptyStateProps {
  readonly icon?: LucideIcon;
  readonly title: string;
  /** What comes here and how, and a button or a link that makes the first one. */
  readonly children?: ReactNode;
}

/** A list without entries, or a page without anything to show, and what to do about it. */
export function EmptyState({ icon: Icon, title, children }: EmptyStateProps): ReactElement {
  return (
    <div className="empty-state">
      {Icon === undefined ? null : <Icon size={28} aria-hidden />}
      <p className="title">{title}</p>
      {children}
    </div>
  );
}
