import type { ReactElement } from 'react';
import type { ApiAnswer } from '../client/api.ts';
import { Badge } from '../parts/badge.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { formatName } from '../parts/format.ts';
import { PayloadList } from './payloads/payload-view.tsx';

export type Failure = NonNullable<ApiAnswer<'GET /v1/workflows/{workflow_id}'>['failure']>;

/** A failure, and below it what has caused it. */
export function FailureView({ failure }: { readonly failure: Failure }): ReactElement {
  const {
    kind,
    type,
    message,
    subject,
    subject_id,
    non_retryable,
    retry_state,
    details,
    stack_trace,
    cause,
  } = failure;
  return (
    <div className="failure">
      <p className="failure-line">
        <Badge tone="failed" plain>
          {type ?? formatName(kind)}
        </Badge>
        {subject === null ? null : (
          <span className="quiet">
            in {subject}
            {subject_id === null ? '' : ` (${subject_id})`}
          </span>
        )}
        <span className="failure-message">{message}</span>
      </p>
      {non_retryable || retry_state !== null ? (
        <p className="quiet small">
          {[non_retryable ? 'Is not tried again' : '', retry_state === null ? '' : formatName(retry_state)]
            .filter(Boolean)
            .join(' · ')}
        </p>
      ) : null}
      {details.length === 0 ? null : <PayloadList payloads={details} label="Details" />}
      {stack_trace === '' ? null : (
        <details>
          <summary className="small">Stack trace</summary>
          <CodeBlock code={stack_trace} label="Stack trace" />
        </details>
      )}
      {cause === null ? null : (
        <div className="cause">
          <p className="quiet small">Caused by</p>
          <FailureView failure={cause} />
        </div>
      )}
    </div>
  );
}
