import type { ReactElement } from 'react';

const SIGNS = [
  ['active', 'active now'],
  ['visited', 'entered before'],
  ['taken', 'taken in this step'],
  ['wide', 'wider: taken more often'],
  ['end', 'final'],
  ['region', 'side by side'],
  ['begin', 'begins here'],
] as const;

/** What the drawing's signs mean. */
export function Legend(): ReactElement {
  return (
    <ul className="plain chart-legend" aria-label="Legend">
      {SIGNS.map(([sign, text]) => (
        <li key={sign}>
          <span className={`sign ${sign}`} aria-hidden />
          {text}
        </li>
      ))}
      <li>
        <span className="sign-text" aria-hidden>
          H, H*
        </span>
        back to where it was, one level or all
      </li>
    </ul>
  );
}
