import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactElement, useMemo, useState } from 'react';
import { IconButton } from '../../parts/icon-button.tsx';
import { useKeys } from '../../parts/keys.ts';
import type { Chart } from '../../statechart/chart/chart.ts';
import { Outline } from '../../statechart/drawing/outline.tsx';
import { ContextPanel } from '../../statechart/run/context-panel.tsx';
import { StepDetails } from '../../statechart/run/step-details.tsx';
import { useFolded, useMarks } from '../../statechart/run/use-marks.ts';
import type { Run } from '../../statechart/run/use-run.ts';
import { StatechartView } from '../../statechart/statechart-view.tsx';
import { momentOfStep, stepsOfMoments } from './machine-moments.ts';
import type { MachinePanelProps } from './machine-panel.tsx';

interface MachineAtProps extends MachinePanelProps {
  readonly workflowId: string;
  readonly runId: string;
  readonly run: Run;
  readonly chart: Chart;
}

const GROUP = 'Through the machine';

/** The chart at the step of the moment. Going to another step moves the page's moment with it. */
export function MachineAt({ view, turns, workflowId, runId, run, chart }: MachineAtProps): ReactElement {
  const { moments, held, go } = view;
  const { steps, activeNow, hash } = run;
  const ofMoments = useMemo(() => stepsOfMoments(moments, turns.rows, steps), [moments, turns, steps]);
  const place = held ?? moments.length - 1;
  /** A moment may have several steps; which of them is looked at counts only while that moment is. */
  const [within, setWithin] = useState<{ readonly moment: string | undefined; readonly step: number }>();
  const inMoment = held === undefined ? undefined : moments[held]?.id;
  const number =
    within !== undefined && within.moment === inMoment
      ? within.step
      : held === undefined
        ? steps.length
        : (ofMoments[place] ?? steps.length);
  const step = steps[number - 1];
  const { marks, choose } = useMarks(chart, steps, number, activeNow);
  const { folded, fold } = useFolded();
  const toStep = (next: number): void => {
    if (next < 1 || next > steps.length) return;
    const target = momentOfStep(ofMoments, next);
    const isLast = target >= moments.length - 1;
    setWithin({ moment: isLast ? undefined : moments[target]?.id, step: next });
    if (target !== place || (isLast && held !== undefined)) go(target);
  };
  useKeys([
    { keys: ',', label: 'One step of the machine back', group: GROUP, run: () => toStep(number - 1) },
    { keys: '.', label: 'One step of the machine on', group: GROUP, run: () => toStep(number + 1) },
  ]);
  return (
    <div className="panel machine-panel">
      <div className="machine-line">
        <IconButton
          icon={ChevronLeft}
          label="One step of the machine back"
          disabled={number <= 1}
          onClick={() => toStep(number - 1)}
        />
        <span className="figures" aria-live="polite">
          Step {number} of {steps.length}: <strong>{step?.to ?? 'not known'}</strong>
        </span>
        <IconButton
          icon={ChevronRight}
          label="One step of the machine on"
          disabled={number >= steps.length}
          onClick={() => toStep(number + 1)}
        />
        <Link
          to="/workflows/$workflowId"
          params={{ workflowId }}
          search={{ run_id: runId, tab: 'statechart', step: number }}
        >
          In its workflow
        </Link>
      </div>
      <StatechartView
        chart={chart}
        hash={hash === '' ? runId : hash}
        marks={marks}
        folded={folded}
        onChoose={choose}
        label="Statechart of the session"
      />
      {step === undefined ? null : (
        <>
          <StepDetails chart={chart} step={step} workflowId={workflowId} runId={runId} />
          <h2>Context</h2>
          <ContextPanel step={step} context={step.snapshot.context} />
        </>
      )}
      <h2>States</h2>
      <Outline chart={chart} marks={marks} folded={folded} onFold={fold} onChoose={choose} />
    </div>
  );
}
