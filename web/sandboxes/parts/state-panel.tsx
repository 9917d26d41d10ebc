import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../client/queries.ts';
import { CopyableId } from '../../parts/copyable.tsx';
import { formatCount } from '../../parts/format.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import { KeyValues } from '../../parts/key-values.tsx';
import { When } from '../../parts/when.tsx';
import { isolationWords, networkWords, Owner, type Sandbox } from './sandbox-words.tsx';

/** What is known of a sandbox: what it is in, what it may use, and which rules hold for its actions. */
export function StatePanel({ sandbox }: { readonly sandbox: Sandbox }): ReactElement {
  const { status, display, compat, networking, limits, created_at, boot, policy } = sandbox;
  const members = useQuery(read('GET /v1/sandbox_pool/members', {})).data?.data ?? [];
  const machine = members.find(({ sandbox_ids }) => sandbox_ids.includes(sandbox.id));
  const most = (value: number | null | undefined, unit: string): string | undefined =>
    value === undefined ? undefined : value === null ? 'no limit' : `${formatCount(value)} ${unit}`.trim();
  return (
    <div className="state-panel">
      <KeyValues
        label="State"
        entries={[
          ['Status', status],
          ['Isolation', isolationWords(sandbox)],
          ['Pool machine', machine?.address],
          ['Session', <Owner key="owner" sandbox={sandbox} />],
          ['Screen', display === null ? undefined : `${display.width} × ${display.height} pixels`],
          ['Results of tools', compat === 'reference' ? 'as the reference gives them' : undefined],
          ['Made', <When key="made" at={created_at} as="exact" />],
          ['This start', boot === null ? undefined : <CopyableId key="boot" id={boot} short />],
        ]}
      />
      <h2>Limits</h2>
      <KeyValues
        label="Limits"
        entries={[
          ['Memory', most(limits?.memory_mib, 'MiB')],
          ['Processors', most(limits?.cpus, '')],
          ['Processes', most(limits?.processes, '')],
          ['Size of its files', most(limits?.disk_mib, 'MiB')],
          ['Files and folders', most(limits?.files, '')],
        ]}
      />
      <h2>Network</h2>
      <p>{networkWords(sandbox)}</p>
      {networking?.type === 'limited' ? (
        <ul className="plain hosts" aria-label="Hosts that it may reach">
          {networking.allowed_hosts.map((host) => (
            <li key={host}>
              <code>{host}</code>
            </li>
          ))}
        </ul>
      ) : null}
      <h2>Action policy</h2>
      {policy === undefined ? (
        <p className="quiet">None of its own. The server’s, where there is one, holds as well.</p>
      ) : (
        <JsonTree value={policy} label="Policy" open={4} />
      )}
    </div>
  );
}
