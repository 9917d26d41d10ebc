import { Waypoints } from 'lucide-react';
import type { ReactElement } from 'react';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorState } from '../parts/error-state.tsx';
import { Loading } from '../parts/loading.tsx';
import { SplitPanes } from '../parts/split-panes.tsx';
import { legalEvents } from './chart/active-states.ts';
import type { Chart } from './chart/chart.ts';
import { Outline } from './drawing/outline.tsx';
import { ContextPanel } from './run/context-panel.tsx';
import { EventButtons } from './run/event-buttons.tsx';
import { Scrubber } from './run/scrubber.tsx';
import { StepDetails } from './run/step-details.tsx';
import { SessionLink } from './run/session-link.tsx';
import { useFolded, useMarks } from './run/use-marks.ts';
import { useMoment } from './run/use-moment.ts';
import { type Run, snapshotOf, useRun } from './run/use-run.ts';
import { StatechartView } from './statechart-view.tsx';

interface StatechartTabProps {
  readonly workflowId: string;
  /** Undefined: the newest run. */
  readonly runId?: string | undefined;
  /** The history's newest event, where the page follows the history anyway. */
  readonly newest?: number | undefined;
}

/** A run of a durable actor as its statechart. Chart, context and history stand still at the step that the address says. */
export function StatechartTab({ workflowId, runId, newest }: StatechartTabProps): ReactElement {
  const run = useRun(workflowId, runId, newest);
  const { chart, explained, error, retry } = run;
  if (explained === undefined)
    return error === null ? (
      <Loading label="The statechart" rows={8} />
    ) : (
      <ErrorState error={error} retry={retry} />
    );
  if (chart === undefined)
    return (
      <EmptyState icon={Waypoints} title="There is no statechart here">
        <p>{explained.reason ?? 'This workflow is no state machine.'}</p>
      </EmptyState>
    );
  return <Actor run={run} chart={chart} workflowId={workflowId} runId={explained.run_id} />;
}

interface ActorProps {
  readonly run: Run;
  readonly chart: Chart;
  readonly workflowId: string;
  readonly runId: string;
}

function Actor({ run, chart, workflowId, runId }: ActorProps): ReactElement {
  const { steps, explained, activeNow } = run;
  const moment = useMoment(steps);
  const { step, number, isNewest } = moment;
  const { marks, choose } = useMarks(chart, steps, number, activeNow);
  const { folded, fold } = useFolded();
  const hash = run.hash === '' ? runId : run.hash;
  return (
    <div className="actor">
      {explained?.known === false ? (
        <p className="notice">{explained.reason} A worker tells where it stands; its steps are not known.</p>
      ) : (
        <Scrubber steps={steps} moment={moment} />
      )}
      <SplitPanes
        name="statechart"
        label="Width of the chart"
        initial={62}
        first={
          <StatechartView
            chart={chart}
            hash={hash}
            marks={marks}
            folded={folded}
            onChoose={choose}
            label={`Statechart of ${explained?.machine?.id ?? workflowId}`}
          />
        }
        second={
          <div className="actor-side">
            <h2>{isNewest ? 'May be sent now' : 'Could be sent then'}</h2>
            <EventButtons
              workflowId={workflowId}
              runId={runId}
              types={legalEvents(chart, marks.active)}
              schemas={explained?.event_schemas ?? {}}
              steps={steps}
              isNewest={isNewest}
            />
            {step === undefined ? null : (
              <>
                <h2>Step {number}</h2>
                <SessionLink workflowId={workflowId} at={isNewest ? undefined : step.at} />
                <StepDetails chart={chart} step={step} workflowId={workflowId} runId={runId} />
              </>
            )}
            <h2>Context</h2>
            <ContextPanel step={step} context={step?.snapshot.context ?? snapshotOf(explained)?.context} />
            <h2>States</h2>
            <Outline chart={chart} marks={marks} folded={folded} onFold={fold} onChoose={choose} />
          </div>
        }
      />
    </div>
  );
}
