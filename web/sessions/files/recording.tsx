import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ReactElement } from 'react';
import { ask, call } from '../../client/api.ts';
import { follow, outdate } from '../../client/queries.ts';
import { Button } from '../../parts/button.tsx';
import { formatBytes } from '../../parts/format.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useAction } from '../../parts/use-action.ts';
import { When } from '../../parts/when.tsx';

/** The film of the sandbox's screen: on and off, and its parts as WebM. */
export function Recording({ sandbox }: { readonly sandbox: string }): ReactElement | null {
  const client = useQueryClient();
  const action = useAction();
  const params = { id: sandbox };
  const { data } = useQuery(follow('GET /v1/sandboxes/{id}/recording', { params }));
  // A sandbox that is gone has no recording to offer.
  if (data === undefined) return null;
  const recording = data.status === 'recording';
  const turn = (): void =>
    action.run(async () => {
      await call('POST /v1/sandboxes/{id}/recording', {
        params,
        body: { action: recording ? 'stop' : 'start' },
      });
      await outdate(client, 'GET /v1/sandboxes/{id}/recording');
    });
  const download = (n: string): void =>
    action.run(async () => {
      const part = await ask('GET /v1/sandboxes/{id}/recording/segments/{n}', { params: { id: sandbox, n } });
      saveFile(`${sandbox}-${n}.webm`, await part.blob());
    });
  return (
    <section aria-label="Film" className="film">
      <h2>Film of the screen</h2>
      <Button size="small" busy={action.busy} onClick={turn}>
        {recording ? 'Stop filming' : 'Film the screen'}
      </Button>
      <Problem text={action.problem ?? data.error ?? undefined} />
      <ul className="plain">
        {data.segments.map(({ number, started_at, size_bytes, active }) => (
          <li key={number} className="file-line">
            <span>
              Part {number}
              {active ? ', still growing' : ''}
            </span>
            <span className="quiet figures">
              {formatBytes(size_bytes)} · <When at={started_at} />
            </span>
            <IconButton
              icon={Download}
              label={`Download part ${number} of the film`}
              size="small"
              onClick={() => download(String(number))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
