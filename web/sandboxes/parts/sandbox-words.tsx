import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ApiAnswer } from '../../client/api.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';

export type Sandbox = ApiAnswer<'GET /v1/sandboxes/{id}'>;

const TONES = {
  waiting: 'waiting',
  starting: 'waiting',
  running: 'running',
  stopped: 'neutral',
  failed: 'failed',
  lost: 'failed',
} as const satisfies Record<Sandbox['status'], Tone>;

export function SandboxStatus({ sandbox: { status } }: { readonly sandbox: Sandbox }): ReactElement {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}

const ISOLATION = {
  bubblewrap: 'isolated by bubblewrap',
  container: 'in a container',
  remote: 'on another machine',
  none: 'not isolated',
} as const;

export function isolationWords({ isolation }: Sandbox): string {
  return isolation === null ? 'isolation not known' : ISOLATION[isolation];
}

/** Which hosts its programs may reach, in words. */
export function networkWords({ networking }: Sandbox): string {
  if (networking === null) return 'network not known';
  if (networking.type === 'none') return 'no network';
  if (networking.type === 'unrestricted') return 'all public hosts';
  const hosts = networking.allowed_hosts.length;
  const managers = networking.allow_package_managers ? ' and package registries' : '';
  return `${hosts === 1 ? 'one host' : `${hosts} hosts`}${managers}`;
}

interface OwnerProps {
  readonly sandbox: Sandbox;
  /** The session's title, where it is known. */
  readonly title?: string | undefined;
}

/** The session whose agent uses it, or that it is for direct use. */
export function Owner({ sandbox: { session_id }, title }: OwnerProps): ReactElement {
  if (session_id === null) return <span className="quiet">for direct use</span>;
  return (
    <Link to="/sessions/$id" params={{ id: session_id }} title={session_id}>
      {title ?? `session …${session_id.slice(-10)}`}
    </Link>
  );
}
