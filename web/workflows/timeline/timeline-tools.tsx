import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import type { ReactElement } from 'react';
import { Badge } from '../../parts/badge.tsx';
import { CheckField } from '../../parts/check-field.tsx';
import { formatDuration } from '../../parts/format.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { type TimeView, zoomed } from './view.ts';

interface TimelineToolsProps {
  readonly view: TimeView;
  readonly whole: TimeView;
  readonly setView: (view: TimeView | undefined) => void;
  readonly tasks: boolean;
  readonly setTasks: (tasks: boolean) => void;
  readonly live: boolean;
  readonly follows: boolean;
}

export function TimelineTools(props: TimelineToolsProps): ReactElement {
  const { view, whole, setView, tasks, setTasks, live, follows } = props;
  const middle = (view.from + view.to) / 2;
  return (
    <div className="filter-bar">
      <IconButton icon={ZoomIn} label="Zoom in" onClick={() => setView(zoomed(view, 0.6, middle, whole))} />
      <IconButton
        icon={ZoomOut}
        label="Zoom out"
        onClick={() => setView(zoomed(view, 1 / 0.6, middle, whole))}
      />
      <IconButton icon={Maximize2} label="Show all" disabled={follows} onClick={() => setView(undefined)} />
      <span className="quiet figures timeline-span">{formatDuration(view.to - view.from)} shown</span>
      {live ? <Badge tone={follows ? 'running' : 'neutral'}>{follows ? 'Live' : 'Held still'}</Badge> : null}
      <CheckField label="Workflow tasks and markers" checked={tasks} onChange={setTasks} />
    </div>
  );
}
