import { useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { CopyableId } from '../parts/copyable.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { LiveScreen } from './live-screen.tsx';

/** A sandbox without a session: its screen, live. */
export function SandboxPage(): ReactElement {
  const { id } = useParams({ from: '/sandboxes/$id' });
  return (
    <div className="sandbox-page">
      <PageHeader title={id} heading={<CopyableId id={id} />} />
      <LiveScreen key={id} place="sandboxes" id={id} />
    </div>
  );
}
