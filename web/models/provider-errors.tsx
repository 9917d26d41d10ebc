import type { ReactElement } from 'react';
import { formatName } from '../parts/format.ts';
import { When } from '../parts/when.tsx';
import type { Provider } from './routing.ts';

/** The newest errors of a provider, folded: the newest of all already stands above where it still matters. */
export function ProviderErrors({ errors }: { readonly errors: Provider['errors'] }): ReactElement | null {
  const [newest] = errors;
  if (newest === undefined) return null;
  return (
    <details className="provider-errors">
      <summary>
        {errors.length === 1 ? 'The last error' : `The last ${errors.length} errors`}, <When at={newest.at} />
      </summary>
      <ul className="plain">
        {errors.map(({ at, type, message, model }) => (
          <li key={`${at} ${message}`}>
            <span className="quiet small">
              <When at={at} as="exact" /> · {formatName(type)}
              {model === null ? '' : ` · ${model}`}
            </span>
            <span>{message}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
