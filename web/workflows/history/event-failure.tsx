import type { ReactElement } from 'react';
import { CodeBlock } from '../../parts/code-block.tsx';

/** A failure in the form that histories have. */
export interface WireFailure {
  readonly message?: string;
  readonly source?: string;
  readonly stackTrace?: string;
  readonly cause?: WireFailure | null;
  readonly applicationFailureInfo?: { readonly type?: string; readonly nonRetryable?: boolean } | null;
}

export function EventFailure({ failure }: { readonly failure: WireFailure }): ReactElement {
  const { message = '', stackTrace = '', cause, applicationFailureInfo: info } = failure;
  return (
    <div className="failure">
      <p className="failure-line">
        {info?.type ? <code>{info.type}</code> : null}
        <span className="failure-message">{message === '' ? 'It failed without a message.' : message}</span>
        {info?.nonRetryable === true ? <span className="quiet small">is not tried again</span> : null}
      </p>
      {stackTrace === '' ? null : (
        <details>
          <summary className="small">Stack trace</summary>
          <CodeBlock code={stackTrace} label="Stack trace" />
        </details>
      )}
      {cause == null ? null : (
        <div className="cause">
          <p className="quiet small">Caused by</p>
          <EventFailure failure={cause} />
        </div>
      )}
    </div>
  );
}
