import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, type ReactElement, type ReactNode, Suspense } from 'react';
import { Loading } from '../parts/loading.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { HandPanel } from './hand/hand-panel.tsx';
import type { Aim } from './hand/pick-overlay.tsx';
import type { Hand } from './hand/use-hand.ts';
import type { Sandbox } from './parts/sandbox-words.tsx';
import type { View } from './sandbox-search.ts';

const FolderPanel = lazy(async () => ({ default: (await import('./files/folder-panel.tsx')).FolderPanel }));
const StatePanel = lazy(async () => ({ default: (await import('./parts/state-panel.tsx')).StatePanel }));
const SnapshotsPanel = lazy(async () => ({
  default: (await import('./parts/snapshots-panel.tsx')).SnapshotsPanel,
}));
const NetworkLog = lazy(async () => ({ default: (await import('./parts/network-log.tsx')).NetworkLog }));

interface SandboxViewsProps {
  readonly sandbox: Sandbox;
  readonly hand: Hand;
  readonly onAim: (aim: Aim | undefined) => void;
}

/** What stands beside the screen. */
export function SandboxViews({ sandbox, hand, onAim }: SandboxViewsProps): ReactElement {
  const { view = 'hand' } = useSearch({ from: '/sandboxes/$id' });
  const navigate = useNavigate({ from: '/sandboxes/$id' });
  const lazily = (content: ReactNode) => () => <Suspense fallback={<Loading />}>{content}</Suspense>;
  const show = (next: View): void =>
    void navigate({
      search: (before) => ({ ...before, view: next === 'hand' ? undefined : next }),
      replace: true,
      resetScroll: false,
    });
  const { id } = sandbox;
  return (
    <Tabs<View>
      label="Views of the sandbox"
      value={view}
      onChange={show}
      tabs={[
        {
          value: 'hand',
          label: 'By hand',
          content: () => <HandPanel sandbox={id} hand={hand} onAim={onAim} />,
        },
        { value: 'files', label: 'Files', content: lazily(<FolderPanel sandbox={id} />) },
        { value: 'state', label: 'State', content: lazily(<StatePanel sandbox={sandbox} />) },
        { value: 'snapshots', label: 'Snapshots', content: lazily(<SnapshotsPanel sandbox={id} />) },
        { value: 'network', label: 'Network', content: lazily(<NetworkLog sandbox={id} />) },
      ]}
    />
  );
}
