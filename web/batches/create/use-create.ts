import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { outdate } from '../../client/queries.ts';
import { uploadTo } from '../../client/upload.ts';
import { type Action, useAction } from '../../parts/use-action.ts';
import type { Batch } from '../batch-progress.tsx';
import { bodyOf, MOST_BYTES } from './lines.ts';

interface Create {
  readonly action: Action;
  /** Bytes that are sent, and that there are. */
  readonly sent: { readonly bytes: number; readonly of: number } | undefined;
  readonly create: (requests: readonly string[]) => void;
}

/** Sends requests as a batch, and goes there. */
export function useCreate(): Create {
  const client = useQueryClient();
  const navigate = useNavigate();
  const action = useAction();
  const [sent, setSent] = useState<Create['sent']>();
  return {
    action,
    sent: action.busy ? sent : undefined,
    create: (requests) =>
      action.run(async () => {
        const body = bodyOf(requests);
        if (body.size > MOST_BYTES) throw new Error('These requests are more than the 256 MB of one batch.');
        setSent({ bytes: 0, of: body.size });
        const made = (await uploadTo('POST', '/v1/messages/batches', body, {
          contentType: 'application/json',
          onProgress: (bytes) => setSent({ bytes, of: body.size }),
        })) as Batch;
        await outdate(client, 'GET /v1/messages/batches');
        await navigate({ to: '/batches/$id', params: { id: made.id } });
      }),
  };
}
