import type { ReactElement } from 'react';
import { Badge } from '../../parts/badge.tsx';
import type { Workflow } from '../actions/action-name.ts';
import { FailureView } from '../failure-view.tsx';
import { PayloadList } from '../payloads/payload-view.tsx';
import { AttributeList } from './attribute-list.tsx';
import { Card } from '../../parts/card.tsx';
import { Chain } from './chain.tsx';
import { Facts } from './facts.tsx';
import { Pending } from './pending.tsx';
import { QueueCard } from './queue-card.tsx';

/** Everything about a run but its history: what it waits for, what went in, what came out, where it belongs. */
export function Overview({ workflow }: { readonly workflow: Workflow }): ReactElement {
  const { failure, result, input, close_reason, memo, search_attributes, status } = workflow;
  return (
    <div className="overview">
      {failure === null ? null : (
        <Card title="Why it failed" wide>
          <FailureView failure={failure} />
        </Card>
      )}
      {close_reason === null || close_reason === '' ? null : (
        <Card title="Why it was ended">
          <p>{close_reason}</p>
        </Card>
      )}
      <Pending workflow={workflow} />
      <Card title="Input">
        <PayloadList payloads={input} label="Input" />
      </Card>
      {result === null ? null : (
        <Card title={status === 'continued_as_new' ? 'Handed to the next run' : 'Result'}>
          <PayloadList payloads={result} label="Result" />
        </Card>
      )}
      <Chain workflow={workflow} />
      <Card title="About this run">
        <Facts workflow={workflow} />
      </Card>
      <QueueCard name={workflow.task_queue} />
      {Object.keys(search_attributes).length === 0 ? null : (
        <Card title="Search attributes">
          <AttributeList attributes={search_attributes} />
        </Card>
      )}
      {Object.keys(memo).length === 0 ? null : (
        <Card title="Memo">
          <dl className="stacked">
            {Object.entries(memo).map(([name, payload]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <PayloadList payloads={[payload]} label={name} />
                </dd>
              </div>
            ))}
          </dl>
        </Card>
      )}
      {workflow.cancel_requested && status === 'running' ? (
        <Card title="Cancellation">
          <Badge tone="waiting">It has been asked to end</Badge>
        </Card>
      ) : null}
    </div>
  );
}
