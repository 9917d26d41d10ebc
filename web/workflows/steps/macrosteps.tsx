import type { ReactElement } from 'react';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { formatCount } from '../../parts/format.ts';
import { Loading } from '../../parts/loading.tsx';
import type { Explained } from '../explained/read-explained.ts';
import { useExplained } from '../explained/use-explained.ts';
import { RowList } from '../history/row-list.tsx';
import type { Macrostep } from './macrostep.ts';
import { NotExplained } from './not-explained.tsx';
import { StepBody } from './step-body.tsx';
import { StepLine } from './step-line.tsx';

interface MacrostepsProps {
  readonly workflowId: string;
  readonly runId: string;
  /** The history's newest event. */
  readonly newest: number;
  readonly event: number | undefined;
  readonly onEvent: (event: number | undefined) => void;
}

/** What an actor's state machine did with each event. */
export function Macrosteps({ workflowId, runId, newest, event, onEvent }: MacrostepsProps): ReactElement {
  const { explained, error, retry } = useExplained(workflowId, runId, newest);
  if (explained === undefined)
    return error === null ? <Loading rows={6} /> : <ErrorState error={error} retry={retry} />;
  if (!explained.known) return <NotExplained explanation={explained} />;
  const steps = explained.steps as unknown as readonly Macrostep[];
  const open = steps.find(
    ({ events }) => event !== undefined && events.first <= event && event <= events.last,
  );
  return (
    <>
      <StepsSummary explanation={explained} shown={steps.length} />
      {steps.length === 0 ? (
        <EmptyState title="The machine has not begun yet" />
      ) : (
        <RowList
          label="Macrosteps"
          rows={steps}
          rowKey={({ number }) => number}
          open={open?.number}
          onToggle={(step) => onEvent(step === open ? undefined : step.events.first)}
          lineClass={() => 'step-line'}
          line={(step) => <StepLine step={step} />}
          body={(step) => <StepBody step={step} />}
        />
      )}
    </>
  );
}

function StepsSummary({
  explanation,
  shown,
}: {
  readonly explanation: Explained;
  readonly shown: number;
}): ReactElement {
  const { machine, explanation: told } = explanation;
  const divergence = told?.divergence as { readonly reason?: string } | null | undefined;
  const held = told?.held as { readonly reason?: string } | null | undefined;
  return (
    <>
      <p className="steps-summary">
        {machine === null ? null : (
          <span>
            Machine <code>{machine.id}</code>
            {machine.version === null ? '' : ` ${machine.version}`}
          </span>
        )}
        {told === null ? null : (
          <span>
            {told.status}
            {told.state === '' ? null : (
              <>
                {' '}
                in <code className="state-path">{told.state}</code>
              </>
            )}
          </span>
        )}
        <span className="quiet figures">
          {told !== null && shown < told.step_count ? `${formatCount(shown)} of ` : ''}
          {formatCount(told?.step_count ?? shown)} macrosteps
        </span>
      </p>
      {divergence == null ? null : (
        <p className="problem">
          The machine would have done something else: {divergence.reason ?? 'no reason given'}
        </p>
      )}
      {held == null ? null : (
        <p className="notice">The run takes no events: {held.reason ?? 'no reason given'}</p>
      )}
    </>
  );
}
