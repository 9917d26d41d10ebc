import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { ApiAnswer } from '../../client/api.ts';
import { follow } from '../../client/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { formatCount } from '../../parts/format.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import { Loading } from '../../parts/loading.tsx';
import { OUTCOME_TONES, OUTCOME_WORDS } from '../batch-progress.tsx';
import { resultWords } from './result-words.ts';

type Request = ApiAnswer<'GET /v1/messages/batches/{id}/requests/{position}'>;

interface RequestDetailProps {
  readonly batch: string;
  readonly position: number;
  readonly live: boolean;
  readonly onClose: () => void;
}

/** One request in full: what was asked, and what came of it. */
export function RequestDetail({ batch, position, live, onClose }: RequestDetailProps): ReactElement {
  const params = { id: batch, position: String(position) };
  const { data, error, refetch } = useQuery({
    ...follow('GET /v1/messages/batches/{id}/requests/{position}', { params }),
    refetchInterval: ({ state }) => (live && state.data?.status === 'processing' ? 2000 : false),
  });
  return (
    <Dialog open wide title={data?.custom_id ?? `Request ${position}`} onClose={onClose}>
      {data === undefined ? (
        error === null ? (
          <Loading rows={4} />
        ) : (
          <ErrorState error={error} retry={refetch} />
        )
      ) : (
        <RequestWords request={data} />
      )}
    </Dialog>
  );
}

function RequestWords({ request }: { readonly request: Request }): ReactElement {
  const { position, status, params, result } = request;
  const words = resultWords(result);
  return (
    <div className="request-detail">
      <p>
        <Badge tone={OUTCOME_TONES[status]}>{OUTCOME_WORDS[status]}</Badge>{' '}
        <span className="quiet">number {formatCount(position)}</span>
      </p>
      {words === '' ? null : <CodeBlock label="Answer" code={words} wrap />}
      <div className="request-json">
        <div>
          <h3>Asked</h3>
          <JsonTree label="Asked" value={params} open={3} />
        </div>
        <div>
          <h3>Result</h3>
          {result === null ? (
            <p className="quiet">None{status === 'processing' ? ' yet' : ''}.</p>
          ) : (
            <JsonTree label="Result" value={result} open={3} />
          )}
        </div>
      </div>
    </div>
  );
}
