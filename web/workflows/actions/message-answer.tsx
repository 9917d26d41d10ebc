import type { ReactElement } from 'react';
import { FailureView } from '../failure-view.tsx';
import { PayloadList } from '../payloads/payload-view.tsx';
import type { Answer } from './send-message.ts';

export function MessageAnswer({
  answer: { result, failure, stage },
}: {
  readonly answer: Answer;
}): ReactElement {
  return (
    <section className="message-answer" role="status" aria-label="Answer">
      <h3>{failure === null ? 'Answer' : 'It was refused or failed'}</h3>
      {failure === null ? null : <FailureView failure={failure} />}
      {result === null ? null : <PayloadList payloads={result} label="Answer" />}
      {result === null && failure === null ? (
        <p className="quiet">There is no answer yet; the update is {stage}.</p>
      ) : null}
    </section>
  );
}
