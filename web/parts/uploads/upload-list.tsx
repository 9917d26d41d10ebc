import { Check, RotateCw, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../button.tsx';
import { formatBytes } from '../format.ts';
import { IconButton } from '../icon-button.tsx';
import type { Upload, UploadQueue } from './upload-queue.ts';

interface UploadListProps {
  readonly uploads: readonly Upload[];
  readonly queue: UploadQueue;
}

/** What is on its way to the server, how far it is, and what failed. */
export function UploadList({ uploads, queue }: UploadListProps): ReactElement | null {
  if (uploads.length === 0) return null;
  const done = uploads.filter(({ state }) => state === 'done').length;
  return (
    <section className="uploads card" aria-label="Uploads">
      <p className="uploads-head">
        <span role="status">
          {done} of {uploads.length} {uploads.length === 1 ? 'file has' : 'files have'} arrived
        </span>
        {done === 0 ? null : (
          <Button size="small" tone="subtle" onClick={() => queue.clear()}>
            Clear
          </Button>
        )}
      </p>
      <ul className="plain">
        {uploads.map((upload) => (
          <li key={upload.id}>
            <UploadLine upload={upload} queue={queue} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function UploadLine({
  upload,
  queue,
}: {
  readonly upload: Upload;
  readonly queue: UploadQueue;
}): ReactElement {
  const { id, file, state, sent, problem } = upload;
  return (
    <div className="upload-line">
      <span className="upload-name">{file.name}</span>
      {state === 'done' ? (
        <span className="quiet figures">
          <Check size={14} aria-hidden /> {formatBytes(file.size)}
        </span>
      ) : state === 'failed' ? (
        <span className="upload-problem">{problem}</span>
      ) : (
        <progress
          aria-label={`Upload of ${file.name}`}
          max={Math.max(1, file.size)}
          value={Math.min(sent, file.size)}
        />
      )}
      {state === 'failed' ? (
        <IconButton
          icon={RotateCw}
          size="small"
          label={`Send ${file.name} again`}
          onClick={() => queue.retry(id)}
        />
      ) : null}
      {state === 'done' ? null : (
        <IconButton
          icon={X}
          size="small"
          label={state === 'failed' ? `Forget ${file.name}` : `Stop the upload of ${file.name}`}
          onClick={() => queue.remove(id)}
        />
      )}
    </div>
  );
}
