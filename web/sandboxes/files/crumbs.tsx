import type { ReactElement } from 'react';
import { HOME, shown } from './sandbox-files.ts';

interface CrumbsProps {
  /** Percent-encoded. */
  readonly folder: string;
  readonly onOpen: (folder: string) => void;
}

/** The folders above the one that is open, and the ways that lead home and to what an agent gives and gets. */
export function Crumbs({ folder, onOpen }: CrumbsProps): ReactElement {
  const names = folder.split('/').filter((name) => name !== '');
  const steps = names.map((name, index) => ({
    name: shown(name),
    path: `/${names.slice(0, index + 1).join('/')}`,
  }));
  return (
    <nav className="crumbs" aria-label="Folders">
      <button type="button" className="as-link" aria-label="The topmost folder" onClick={() => onOpen('/')}>
        /
      </button>
      {steps.map(({ name, path }, index) => (
        <span key={path}>
          {index === 0 ? null : <span aria-hidden="true">/</span>}
          <button
            type="button"
            className="as-link"
            aria-current={index === steps.length - 1 ? 'location' : undefined}
            onClick={() => onOpen(path)}
          >
            {name}
          </button>
        </span>
      ))}
      {folder === HOME ? null : (
        <button type="button" className="as-link home" onClick={() => onOpen(HOME)}>
          home
        </button>
      )}
    </nav>
  );
}
