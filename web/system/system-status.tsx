import type { ReactElement } from 'react';
import { Badge, type Tone } from '../parts/badge.tsx';
import type { System } from './system-page.tsx';

const WORDS = {
  ok: { label: 'All is well', tone: 'good' },
  warning: { label: 'Needs care', tone: 'waiting' },
  error: { label: 'Does not work', tone: 'failed' },
} as const satisfies Record<System['status'], { readonly label: string; readonly tone: Tone }>;

/** The server's state in a few words. */
export function SystemStatus({ status }: { readonly status: System['status'] }): ReactElement {
  return <Badge tone={WORDS[status].tone}>{WORDS[status].label}</Badge>;
}
