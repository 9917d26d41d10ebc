import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import type { System } from './system-page.tsx';

/** What is wrong, the worst first, and what to do about each. */
export function ProblemList({ problems }: { readonly problems: System['problems'] }): ReactElement {
  if (problems.length === 0) {
    return (
      <p className="all-well">
        <CircleCheck size={18} aria-hidden />
        Every part that was asked works.
      </p>
    );
  }
  return (
    <ul className="plain problem-list" aria-label="What is wrong">
      {problems.map(({ part, level, text, advice }) => {
        const Icon = level === 'error' ? CircleAlert : TriangleAlert;
        return (
          <li key={`${part} ${text}`} className={`card ${level}`}>
            <Icon size={18} aria-label={level === 'error' ? 'Error' : 'Warning'} />
            <div>
              <p className="what">{text}</p>
              <p>{advice}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
