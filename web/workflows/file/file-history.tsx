import type { ReactElement } from 'react';
import { Tabs } from '../../parts/tabs.tsx';
import { Compact } from '../history/compact.tsx';
import type { HistoryEvent } from '../history/history-event.ts';
import { Raw } from '../history/raw.tsx';
import { useGroups } from '../history/use-groups.ts';
import type { FileTabName } from '../run-search.ts';
import { Timeline } from '../timeline/timeline.tsx';

interface FileHistoryProps {
  readonly events: readonly HistoryEvent[];
  readonly tab: FileTabName;
  readonly event: number | undefined;
  readonly onTab: (tab: FileTabName) => void;
  readonly onEvent: (event: number | undefined) => void;
}

/** The ways to show a history that need no server. */
export function FileHistory({ events, tab, event, onTab, onEvent }: FileHistoryProps): ReactElement {
  const history = { events, groups: useGroups(events), live: false, event, onEvent };
  return (
    <Tabs
      label="How the history is shown"
      tabs={[
        { value: 'compact', label: 'History', content: () => <Compact {...history} /> },
        { value: 'timeline', label: 'Timeline', content: () => <Timeline {...history} /> },
        { value: 'raw', label: 'Raw', content: () => <Raw {...history} /> },
      ]}
      value={tab}
      onChange={onTab}
    />
  );
}
