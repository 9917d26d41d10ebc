import type { ReactElement } from 'react';
import { Card } from '../parts/card.tsx';
import { formatBytes } from '../parts/format.ts';
import { KeyValues } from '../parts/key-values.tsx';
import { LimitMeter } from '../parts/limit-meter.tsx';
import { Lasted, When } from '../parts/when.tsx';
import type { System } from './system-page.tsx';

const ROLES = {
  all: 'Server and worker',
  server: 'Server; the workers are other processes',
  worker: 'Worker',
} as const satisfies Record<System['process']['role'], string>;

/** This process and its machine. */
export function ProcessCard({ process }: { readonly process: System['process'] }): ReactElement {
  const { version, role, node, platform, started_at: started, cpus, load, memory } = process;
  return (
    <Card title="This server">
      <KeyValues
        label="This server"
        entries={[
          ['Version', version],
          ['Role', ROLES[role]],
          [
            'Started',
            <span key="started">
              <When at={started} as="exact" />, runs for <Lasted from={started} to={null} />
            </span>,
          ],
          ['Node', `${node}, ${platform}`],
          ['Cores', `${cpus}, load ${load.toFixed(2)}`],
          [
            'Memory of the process',
            `${formatBytes(memory.process_bytes)}, ${formatBytes(memory.heap_bytes)} of it JavaScript’s`,
          ],
        ]}
      />
      <LimitMeter
        name="Memory of the machine"
        spent={memory.total_bytes - memory.free_bytes}
        most={memory.total_bytes}
        words={`${formatBytes(memory.free_bytes)} free of ${formatBytes(memory.total_bytes)}`}
      />
    </Card>
  );
}
