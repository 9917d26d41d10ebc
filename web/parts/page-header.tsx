import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { type ReactElement, type ReactNode, useEffect } from 'react';

interface PageHeaderProps {
  /** The heading, and the beginning of the document's title. */
  readonly title: string;
  /** In place of the title in the heading, where it is more than a text. */
  readonly heading?: ReactNode;
  /** Where the arrow above the title leads. */
  readonly back?: { readonly to: string; readonly label: string } | undefined;
  /** Beside the title, e.g. a status badge. */
  readonly status?: ReactNode;
  /** Below the title, e.g. ids and times. */
  readonly facts?: ReactNode;
  /** At the right: buttons. */
  readonly actions?: ReactNode;
  /** The heading is there for screen readers alone. */
  readonly hidden?: boolean;
}

/** The top of a page. It names the document, and takes the focus when somebody came by a link. */
export function PageHeader({
  title,
  heading,
  back,
  status,
  facts,
  actions,
  hidden,
}: PageHeaderProps): ReactElement {
  useEffect(() => {
    document.title = title === 'Steadyhand' ? title : `${title} · Steadyhand`;
  }, [title]);
  if (hidden === true) {
    return (
      <h1 className="hidden" tabIndex={-1}>
        {title}
      </h1>
    );
  }
  return (
    <div className="page-header">
      <div className="about-page">
        {back === undefined ? null : (
          <Link to={back.to} className="back">
            <ChevronLeft size={14} aria-hidden />
            {back.label}
          </Link>
        )}
        <div className="title-line">
          <h1 tabIndex={-1}>{heading ?? title}</h1>
          {status}
        </div>
        {facts === undefined ? null : <div className="facts">{facts}</div>}
      </div>
      {actions === undefined ? null : <div className="buttons">{actions}</div>}
    </div>
  );
}
