import type { ReactElement, ReactNode } from 'react';
import { KeyValues } from '../../parts/key-values.tsx';
import { When } from '../../parts/when.tsx';
import { formatDuration } from '../../parts/format.ts';
import { type Chart } from '../chart/chart.ts';
import { causeText, isFault, type Step, type StepEffect } from '../chart/step.ts';
import { takenIn } from '../chart/visits.ts';
import { transitionText } from '../layout/sizes.ts';
import { EventLink } from './event-link.tsx';

interface StepDetailsProps {
  readonly chart: Chart;
  readonly step: Step;
  readonly workflowId: string;
  readonly runId: string;
}

/** What came in, what the machine did with it, and where that stands in the history. */
export function StepDetails({ chart, step, workflowId, runId }: StepDetailsProps): ReactElement {
  const { cause, transitions, actions, started, stopped, sent, emitted, events } = step;
  const taken = takenIn(chart, step).flatMap((id) => chart.transitions.find((each) => each.id === id) ?? []);
  const guards = transitions.flatMap(({ guard }) => (guard === undefined ? [] : [guard]));
  const link = (eventId: number): ReactNode => (
    <EventLink workflowId={workflowId} runId={runId} eventId={eventId} />
  );
  const effect = (each: StepEffect): ReactNode => (
    <>
      {each.type === 'delay'
        ? `delay ${each.id}${each.ms === undefined ? '' : ` (${formatDuration(each.ms)})`}`
        : `${each.type} ${each.src ?? each.id}`}{' '}
      {link(each.eventId)}
    </>
  );
  return (
    <section className="step-details" aria-label={`Step ${step.number}`}>
      <p className={isFault(step) ? 'cause fault' : 'cause'}>
        <strong>{causeText(cause)}</strong> {link(cause.eventId)}
      </p>
      <KeyValues
        label="About the step"
        entries={[
          ['When', <When key="at" at={new Date(step.at).toISOString()} as="exact" />],
          [
            'State',
            step.from === step.to ? step.to : `${step.from === '' ? 'nothing' : step.from} → ${step.to}`,
          ],
          [
            'Transitions',
            listOf(taken.map((each) => `${nameIn(chart, each.source)}: ${transitionText(each)}`)),
          ],
          ['Guards', listOf(guards)],
          ['Actions', listOf(actions.map((action) => action.replace(/^xstate\./, '')))],
          ['Error', cause.error === undefined ? undefined : textOf(cause.error)],
          ['Started', listOf(started.map(effect))],
          ['Stopped', listOf(stopped.map(effect))],
          [
            'Sent',
            listOf(
              sent.map(({ workflowId: to, event, eventId }) => (
                <>
                  {event.type} to {to} {link(eventId)}
                </>
              )),
            ),
          ],
          ['Emitted', listOf(emitted.map(textOf))],
          [
            'History',
            <span key="events">
              {link(events.first)}
              {events.last === events.first ? null : <> to {link(events.last)}</>}
            </span>,
          ],
        ]}
      />
    </section>
  );
}

const listOf = (items: readonly ReactNode[]): ReactNode =>
  items.length === 0 ? undefined : (
    <ul className="plain">
      {items.map((item, index) => (
        <li key={index}>{item}</li>
      ))}
    </ul>
  );

const nameIn = (chart: Chart, id: string): string => chart.states.get(id)?.key ?? id;

function textOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'message' in value) return String(value.message);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
