import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, type ReactElement, type ReactNode, Suspense } from 'react';
import type { Session } from '../client/api.ts';
import { Loading } from '../parts/loading.tsx';
import { Tabs } from '../parts/tabs.tsx';
import type { View } from './session-search.ts';
import type { Turns } from './turns/rows.ts';
import type { MomentView } from './time/use-moment.ts';
import { TurnList } from './turns/turn-list.tsx';
import type { useSession } from './use-session.ts';

const MachinePanel = lazy(async () => ({
  default: (await import('./machine/machine-panel.tsx')).MachinePanel,
}));
const CostPanel = lazy(async () => ({ default: (await import('./cost/cost-panel.tsx')).CostPanel }));
const NetworkPanel = lazy(async () => ({
  default: (await import('./network/network-panel.tsx')).NetworkPanel,
}));
const FilesPanel = lazy(async () => ({ default: (await import('./files/files-panel.tsx')).FilesPanel }));
const PolicyPanel = lazy(async () => ({ default: (await import('./policy/policy-panel.tsx')).PolicyPanel }));
const LogPanel = lazy(async () => ({ default: (await import('./log/log-panel.tsx')).LogPanel }));

interface SideViewsProps {
  readonly followed: ReturnType<typeof useSession>;
  readonly turns: Turns;
  readonly view: MomentView;
  /** The index of the row whose moment is shown; undefined for the newest. */
  readonly chosen: number | undefined;
  readonly onChoose: (event: string) => void;
}

/** What stands beside the screen: the turns, or one of the other views of the same session. */
export function SideViews({ followed, turns, view: moment, chosen, onChoose }: SideViewsProps): ReactElement {
  const { session, events, previews, complete } = followed;
  const { at, view = 'turns' } = useSearch({ from: '/sessions/$id' });
  const navigate = useNavigate({ from: '/sessions/$id' });
  const show = (next: View): void =>
    void navigate({
      search: (before) => ({ ...before, view: next === 'turns' ? undefined : next }),
      replace: true,
      resetScroll: false,
    });
  const whenKnown = (content: (known: Session) => ReactNode) => () => (
    <Suspense fallback={<Loading />}>{session === undefined ? <Loading /> : content(session)}</Suspense>
  );
  return (
    <div className="side-views">
      <Tabs<View>
        label="Views of the session"
        value={view}
        onChange={show}
        tabs={[
          {
            value: 'turns',
            label: 'Turns',
            content: () => (
              <TurnList
                turns={turns}
                previews={previews}
                complete={complete}
                chosen={chosen}
                onChoose={onChoose}
              />
            ),
          },
          {
            value: 'machine',
            label: 'Machine',
            content: whenKnown(({ id }) => <MachinePanel session={id} view={moment} turns={turns} />),
          },
          {
            value: 'cost',
            label: 'Cost',
            content: whenKnown((known) => <CostPanel session={known} events={events} onChoose={onChoose} />),
          },
          {
            value: 'network',
            label: 'Network',
            content: whenKnown(() => <NetworkPanel events={events} />),
          },
          {
            value: 'files',
            label: 'Files',
            content: whenKnown((known) => <FilesPanel session={known} />),
          },
          {
            value: 'policy',
            label: 'Policy',
            content: whenKnown((known) => (
              <PolicyPanel session={known} events={events} onChoose={onChoose} />
            )),
          },
          {
            value: 'log',
            label: 'Log',
            content: whenKnown(() => <LogPanel events={events} chosen={at} />),
          },
        ]}
      />
    </div>
  );
}
