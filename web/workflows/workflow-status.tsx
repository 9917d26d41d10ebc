import type { ReactElement } from 'react';
import { Badge, type Tone } from '../parts/badge.tsx';
import { formatName } from '../parts/format.ts';
import type { Status } from './query/status-clause.ts';

const TONES: Readonly<Record<Status, Tone>> = {
  running: 'running',
  completed: 'good',
  failed: 'failed',
  canceled: 'neutral',
  terminated: 'failed',
  continued_as_new: 'info',
  timed_out: 'failed',
  paused: 'waiting',
};

export function WorkflowStatus({ status }: { readonly status: Status }): ReactElement {
  return <Badge tone={TONES[status]}>{formatName(status)}</Badge>;
}
