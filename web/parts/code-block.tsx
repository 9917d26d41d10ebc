import type { ReactElement } from 'react';
import { CopyButton } from './copyable.tsx';

interface CodeBlockProps {
  readonly code: string;
  /** What it is, e.g. `Stack trace`. */
  readonly label: string;
  /** Long lines are broken; without it they are scrolled to. */
  readonly wrap?: boolean;
}

/** Text as a terminal or a file holds it, with a button that copies it. */
export function CodeBlock({ code, label, wrap = false }: CodeBlockProps): ReactElement {
  return (
    <div className="code-block">
      <pre tabIndex={0} role="region" aria-label={label} className={wrap ? undefined : 'unbroken'}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} what={label} />
    </div>
  );
}
