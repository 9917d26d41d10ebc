import type { Grant } from '@steadyhand/sessions';
import type { SessionEvent } from '../../client/api.ts';

/** A grant of the log. */
export interface LoggedGrant {
  /** The id of the confirmation that gave it. */
  readonly id: string;
  readonly at: string;
  readonly grant: Grant;
  readonly withdrawn: boolean;
}

/** What a person allowed for the rest of the session, oldest first; what was withdrawn says so. */
export function grantsOf(events: readonly SessionEvent[]): readonly LoggedGrant[] {
  const grants = new Map<string, LoggedGrant>();
  for (const event of events) {
    if (event.type === 'user.tool_confirmation' && 'grant' in event && event.grant !== undefined)
      grants.set(event.id, {
        id: event.id,
        at: event.processed_at ?? '',
        grant: event.grant as Grant,
        withdrawn: false,
      });
    if (event.type !== 'user.grant_withdrawn') continue;
    const held = grants.get(event.grant_id);
    if (held !== undefined) grants.set(held.id, { ...held, withdrawn: true });
  }
  return [...grants.values()];
}

/** Says exactly what a grant allows. */
export function grantText(grant: Grant): string {
  if ('commands' in grant) {
    const all = grant.commands.map((command) => `“${command}”`).join(', ');
    return grant.commands.length === 1 ? `exactly the command ${all}` : `exactly the commands ${all}`;
  }
  if ('command_prefix' in grant)
    return `every command that begins with “${grant.command_prefix}” and redirects nothing`;
  const action = grant.action.replaceAll('_', ' ');
  if ('host' in grant) return `${action} of every page of ${grant.host}`;
  if ('path' in grant)
    return grant.path.endsWith('/**')
      ? `${action} of all files below ${grant.path.slice(0, -2)}`
      : `${action} of the file ${grant.path}`;
  return grant.tool === 'bash' ? 'restarting the shell' : `every ${action}, wherever on the screen`;
}
