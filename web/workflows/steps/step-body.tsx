import type { ReactElement } from 'react';
import { JsonTree } from '../../parts/json-tree.tsx';
import { causeValue, type Change, type Macrostep } from './macrostep.ts';

/** A macrostep in full: what came in, what changed, what was set off, and the state afterwards. */
export function StepBody({ step }: { readonly step: Macrostep }): ReactElement {
  const { cause, changed, transitions, started, stopped, sent, emitted, snapshot, events } = step;
  const value = causeValue(cause);
  const effects = { started, stopped, sent, emitted };
  const had = Object.entries(effects).filter(([, held]) => held.length > 0);
  return (
    <div className="step-body">
      <section>
        <h2>
          Event in{' '}
          <span className="quiet small">
            events {events.first}–{events.last} of the history
          </span>
        </h2>
        {cause.reason === undefined ? null : <p className="field-problem">{cause.reason}</p>}
        {value === undefined ? (
          <p className="quiet">Nothing came with it.</p>
        ) : (
          <JsonTree value={value} label="Event in" />
        )}
      </section>
      <section>
        <h2>Context</h2>
        {changed.length === 0 ? <p className="quiet">Nothing changed.</p> : <Changes changed={changed} />}
      </section>
      {transitions.length === 0 ? null : (
        <section>
          <h2>Transitions</h2>
          <ul className="plain">
            {transitions.map(({ source, targets, event, guard }, index) => (
              <li key={index}>
                <code>{source}</code>{' '}
                {event === '' ? (
                  'always'
                ) : (
                  <>
                    on <code>{event}</code>
                  </>
                )}
                {guard === undefined ? null : <span className="guard"> if {guard}</span>}
                {targets.length === 0 ? (
                  ' stays'
                ) : (
                  <>
                    {' '}
                    to <code>{targets.join(', ')}</code>
                  </>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {had.map(([name, held]) => (
        <section key={name}>
          <h2>{name.charAt(0).toUpperCase() + name.slice(1)}</h2>
          <JsonTree value={held} label={name} open={3} />
        </section>
      ))}
      <section>
        <h2>The state afterwards</h2>
        <JsonTree value={snapshot} label="The state afterwards" />
      </section>
    </div>
  );
}

function Changes({ changed }: { readonly changed: readonly Change[] }): ReactElement {
  return (
    <ul className="plain changes">
      {changed.map((change, index) => (
        <li key={index}>
          <code>{change.path === '' ? 'context' : change.path}</code>
          <span className="quiet">{shown(change.before)}</span>
          <span aria-label="became">→</span>
          <span className="after">{shown(change.after)}</span>
        </li>
      ))}
    </ul>
  );
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
