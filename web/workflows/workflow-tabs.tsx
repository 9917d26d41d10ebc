import type { ReactNode } from 'react';
import type { Workflow } from './actions/action-name.ts';
import { StatechartTab } from '../statechart/statechart-tab.tsx';
import { Compact } from './history/compact.tsx';
import { DownloadHistory } from './history/download-history.tsx';
import type { HistoryViewProps } from './history/history-view.ts';
import { Raw } from './history/raw.tsx';
import { Overview } from './overview/overview.tsx';
import { StackTab } from './overview/stack-tab.tsx';
import type { TabName } from './run-search.ts';
import { Macrosteps } from './steps/macrosteps.tsx';
import { Timeline } from './timeline/timeline.tsx';

/** What a tab is made from. */
export interface TabProps {
  readonly workflow: Workflow;
  readonly history: HistoryViewProps;
}

interface WorkflowTab {
  readonly value: TabName;
  readonly label: string;
  readonly content: (props: TabProps) => ReactNode;
  /** Whether this run has it; every run unless given. */
  readonly fits?: (workflow: Workflow) => boolean;
}

const newestOf = (events: HistoryViewProps['events']): number => Number(events.at(-1)?.eventId ?? 0);

/** Every tab of a workflow, in their order. A new one is a line here and its name in `TABS`. */
export const WORKFLOW_TABS: readonly WorkflowTab[] = [
  { value: 'overview', label: 'Overview', content: ({ workflow }) => <Overview workflow={workflow} /> },
  { value: 'compact', label: 'History', content: ({ history }) => <Compact {...history} /> },
  { value: 'timeline', label: 'Timeline', content: ({ history }) => <Timeline {...history} /> },
  {
    value: 'steps',
    label: 'Macrosteps',
    content: ({ workflow: { workflow_id, run_id }, history: { events, event, onEvent } }) => (
      <Macrosteps workflowId={workflow_id} runId={run_id} newest={newestOf(events)} {...{ event, onEvent }} />
    ),
  },
  {
    value: 'statechart',
    label: 'Statechart',
    content: ({ workflow: { workflow_id, run_id }, history: { events } }) => (
      <StatechartTab workflowId={workflow_id} runId={run_id} newest={newestOf(events)} />
    ),
  },
  {
    value: 'raw',
    label: 'Raw',
    content: ({ workflow: { workflow_id, run_id }, history }) => (
      <Raw {...history} download={<DownloadHistory workflowId={workflow_id} runId={run_id} />} />
    ),
  },
  {
    value: 'stack',
    label: 'Stack trace',
    fits: ({ status }) => status === 'running',
    content: ({ workflow }) => <StackTab workflowId={workflow.workflow_id} runId={workflow.run_id} />,
  },
];
