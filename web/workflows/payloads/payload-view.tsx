import { type ReactElement, useState } from 'react';
import { request } from '../../client/request.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { formatBytes } from '../../parts/format.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useAction } from '../../parts/use-action.ts';
import { saveAs } from './download.ts';
import { bytesOf, type Payload } from './payload.ts';

interface PayloadViewProps {
  readonly payload: Payload;
  /** What it is, e.g. `Input`. */
  readonly label: string;
}

/** A payload as what it is: a tree, a text, bytes to download. A large one shows its beginning until it is asked for. */
function PayloadView({ payload: given, label }: PayloadViewProps): ReactElement {
  const [whole, setWhole] = useState<Payload>();
  const { busy, problem, run } = useAction();
  const payload = whole ?? given;
  const fetchWhole = async (): Promise<Payload> =>
    (await (await request(given.href ?? '')).json()) as Payload;
  const download = (): void =>
    run(async () => {
      const { base64 } = payload.base64 === null ? await fetchWhole() : payload;
      saveAs(`${label.replaceAll(/\W+/g, '-').toLowerCase()}.bin`, new Blob([bytesOf(base64 ?? '')]));
    });
  return (
    <div className="payload">
      {payload.message_type === null ? null : <span className="quiet small">{payload.message_type}</span>}
      {payload.redacted ? (
        <Badge tone="neutral" plain>
          A secret was taken out
        </Badge>
      ) : null}
      <PayloadValue payload={payload} label={label} />
      {payload.error === null ? null : <p className="field-problem">{payload.error}</p>}
      <div className="buttons">
        {payload.truncated && given.href !== null ? (
          <Button size="small" busy={busy} onClick={() => run(async () => setWhole(await fetchWhole()))}>
            Show all {formatBytes(given.size_bytes)}
          </Button>
        ) : null}
        {payload.kind === 'binary' || payload.kind === 'unknown' ? (
          <Button
            size="small"
            busy={busy}
            disabled={payload.base64 === null && given.href === null}
            onClick={download}
          >
            Download {formatBytes(payload.size_bytes)}
          </Button>
        ) : null}
      </div>
      <Problem text={problem} />
    </div>
  );
}

function PayloadValue({ payload, label }: PayloadViewProps): ReactElement | null {
  const { kind, value, preview, truncated, encoding } = payload;
  if (truncated) return <CodeBlock code={`${preview ?? ''}…`} label={`${label}, its beginning`} wrap />;
  switch (kind) {
    case 'json':
      return typeof value === 'object' && value !== null ? (
        <JsonTree value={value} label={label} />
      ) : (
        <code className="payload-scalar">{JSON.stringify(value)}</code>
      );
    case 'text':
      return <CodeBlock code={String(value)} label={label} wrap />;
    case 'null':
      return <code className="quiet">null</code>;
    case 'binary':
    case 'unknown':
      return (
        <span className="quiet small">
          {kind === 'binary' ? 'Bytes' : 'Cannot be read'}
          {encoding === '' ? '' : `, ${encoding}`}
        </span>
      );
  }
}

/** Several payloads: the arguments of a call, or what it has answered. */
export function PayloadList({
  payloads,
  label,
}: {
  readonly payloads: readonly Payload[];
  readonly label: string;
}): ReactElement {
  if (payloads.length === 0) return <span className="quiet">none</span>;
  return (
    <div className="payloads">
      {payloads.map((payload, index) => (
        <PayloadView
          key={index}
          payload={payload}
          label={payloads.length === 1 ? label : `${label} ${index + 1}`}
        />
      ))}
    </div>
  );
}
