import type { ReactElement } from 'react';
import type { ApiAnswer } from '../../client/api.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { KeyValues } from '../../parts/key-values.tsx';
import { Loading } from '../../parts/loading.tsx';
import type { Chart } from '../chart/chart.ts';
import { causeText } from '../chart/step.ts';
import { Scrubber } from '../run/scrubber.tsx';
import { useFolded, useMarks } from '../run/use-marks.ts';
import { useMoment } from '../run/use-moment.ts';
import { type Run, useRun } from '../run/use-run.ts';
import { StatechartView } from '../statechart-view.tsx';

type Comparison = ApiAnswer<'GET /v1/workflow_comparison'>;

const BY = {
  event: 'by what came in',
  state: 'by the way taken',
  context: 'by the context alone',
  length: 'because one goes on',
} as const;

/** Both charts at the same step, and a sentence on where the runs part. */
export function ComparedRuns({ comparison }: { readonly comparison: Comparison }): ReactElement {
  const { left, right, common, by, context } = comparison;
  const runs = [useRun(left.workflow_id, left.run_id), useRun(right.workflow_id, right.run_id)] as const;
  const longer = runs[0].steps.length >= runs[1].steps.length ? runs[0] : runs[1];
  const moment = useMoment(longer.steps);
  const { number, go } = moment;
  const where =
    by === null ? (
      `They do the same in all ${common} steps.`
    ) : (
      <>
        {common === 1 ? 'The first step is' : `The first ${common} steps are`} the same. Then they part{' '}
        {BY[by]}:{' '}
        <button type="button" className="button small" onClick={() => go(common + 1)}>
          To step {common + 1}
        </button>
      </>
    );
  return (
    <div className="compared">
      <p className="where">{where}</p>
      <Scrubber steps={longer.steps} moment={moment} />
      <div className="sides">
        <Side name="Left" id={left.workflow_id} run={runs[0]} number={number} parted={number > common} />
        <Side name="Right" id={right.workflow_id} run={runs[1]} number={number} parted={number > common} />
      </div>
      {context.length === 0 ? null : (
        <section aria-label="What differs in the context">
          <h2>What differs in the context</h2>
          <KeyValues
            entries={context.map(({ path, before, after }) => [
              path === '' ? 'all' : path,
              <span key={path}>
                <del>{JSON.stringify(before) ?? 'nothing'}</del>{' '}
                <ins>{JSON.stringify(after) ?? 'nothing'}</ins>
              </span>,
            ])}
          />
        </section>
      )}
    </div>
  );
}

interface SideProps {
  readonly name: string;
  readonly id: string;
  readonly run: Run;
  readonly number: number;
  readonly parted: boolean;
}

function Side({ name, id, run, number, parted }: SideProps): ReactElement {
  const step = run.steps[number - 1];
  return (
    <section className={parted ? 'side parted' : 'side'} aria-label={`${name}: ${id}`}>
      <h2>{id}</h2>
      <p className="small">
        {step === undefined ? 'It has no such step.' : `${causeText(step.cause)}: ${step.to}`}
      </p>
      {run.chart === undefined ? (
        run.error === null ? (
          <Loading />
        ) : (
          <ErrorState error={run.error} retry={run.retry} />
        )
      ) : (
        <SideChart chart={run.chart} run={run} number={number} label={`${name}: statechart of ${id}`} />
      )}
    </section>
  );
}

interface SideChartProps {
  readonly chart: Chart;
  readonly run: Run;
  readonly number: number;
  readonly label: string;
}

function SideChart({ chart, run, number, label }: SideChartProps): ReactElement {
  const shown = Math.min(number, run.steps.length);
  const { marks, choose } = useMarks(chart, run.steps, shown, run.activeNow);
  const { folded } = useFolded();
  return (
    <StatechartView
      chart={chart}
      hash={run.hash}
      marks={marks}
      folded={folded}
      onChoose={choose}
      label={label}
    />
  );
}
