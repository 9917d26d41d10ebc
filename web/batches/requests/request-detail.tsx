import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { ReactElement } from 'react';
import { follow } from '../../client/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { JsonTree } from '../../parts/json-tree.tsx';
import { Loading } from '../../parts/loading.tsx';
import { OUTCOME_TONES, OUTCOME_WORDS } from '../batch-progress.tsx';
import { resultWords } from './result-words.ts';

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
  if (data === undefined)
    return error === null ? <Loading rows={4} /> : <ErrorState error={error} retry={refetch} />;
  const { custom_id, status, result } = data;
  const words = resultWords(result);
  return (
    <section className="card request-detail" aria-label={`Request ${custom_id}`}>
      <div className="request-head">
        <h2>{custom_id}</h2>
        <Badge tone={OUTCOME_TONES[status]}>{OUTCOME_WORDS[status]}</Badge>
        <IconButton icon={X} label="Close the request" onClick={onClose} />
      </div>
      {words === '' ? null : <CodeBlock label="Answer" code={words} wrap />}
      <div className="request-json">
        <div>
          <h3>Asked</h3>
          <JsonTree label="Asked" value={data.params} open={3} />
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
    </section>
  );
}
