import { ArrowRight } from 'lucide-react';
import type { ReactElement } from 'react';
import { formatClock, formatDuration, formatExact } from '../../parts/format.ts';
import { causeOf, type Macrostep } from './macrostep.ts';

/** A macrostep in a line: the event, the states before and after, what was checked and set off. */
export function StepLine({ step }: { readonly step: Macrostep }): ReactElement {
  const { number, cause, from, to, guards, actions, changed, started, stopped, sent, at } = step;
  const { word, name } = causeOf(cause);
  const effects = [
    ...started.map(({ type, id, src, ms }) =>
      type === 'delay' ? `wait ${formatDuration(ms ?? 0)}` : `${src ?? id}`,
    ),
    ...stopped.map(({ id, src }) => `stop ${src ?? id}`),
    ...sent.map(({ event }) => `send ${event.type}`),
    ...actions,
  ];
  const time = new Date(at);
  return (
    <>
      <span className="line-ids figures">{number}</span>
      <span className="step-cause">
        <span className="line-name">{name === '' ? word : name}</span>
        {name === '' ? null : <span className="quiet small">{word}</span>}
      </span>
      <span className="step-states">
        {from === to ? (
          <span className="quiet">
            stays in <code>{to}</code>
          </span>
        ) : (
          <>
            {from === '' ? null : <code className="quiet">{from}</code>}
            {from === '' ? null : <ArrowRight size={13} aria-label="to" />}
            <code className="state-path">{to}</code>
          </>
        )}
      </span>
      <span className="step-effects">
        {guards.length === 0 ? null : <span className="guard">if {guards.join(', ')}</span>}
        {effects.length === 0 ? null : <span>{effects.join(', ')}</span>}
        {changed.length === 0 ? null : (
          <span className="quiet">
            {changed.length} {changed.length === 1 ? 'change' : 'changes'}
          </span>
        )}
      </span>
      <time className="line-time figures" dateTime={time.toISOString()} title={formatExact(time)}>
        {formatClock(time)}
      </time>
    </>
  );
}
