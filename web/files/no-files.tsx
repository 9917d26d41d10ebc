import { Files } from 'lucide-react';
import type { ReactElement } from 'react';
import { EmptyState } from '../parts/empty-state.tsx';

export function NoFiles({ filtered }: { readonly filtered: boolean }): ReactElement {
  if (filtered) return <EmptyState icon={Files} title="No file is like that" />;
  return (
    <EmptyState icon={Files} title="No file yet">
      <p>
        Files come from here, from the Files API, and from agents: what an agent leaves in its outputs folder
        is kept with its session.
      </p>
    </EmptyState>
  );
}
