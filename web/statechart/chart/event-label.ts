import { formatDuration } from '../../parts/format.ts';

export type EventKind = 'event' | 'always' | 'delay' | 'done' | 'failed';

interface Source {
  readonly id: string;
  readonly invokes: readonly { readonly id: string; readonly src: string }[];
}

/** An event's type in a person's words. What XState calls `xstate.done.actor.0.order.paying` is `charge done`. */
export function eventLabel(
  type: string,
  { id, invokes }: Source,
): { readonly label: string; readonly kind: EventKind } {
  if (type === '') return { label: 'always', kind: 'always' };
  const [, what = '', rest = ''] =
    /^xstate\.(after|done\.actor|error\.actor|done\.state|snapshot)\.(.*)$/.exec(type) ?? [];
  const actor = invokes.find((invoke) => invoke.id === rest)?.src ?? (rest === '*' ? 'any actor' : rest);
  switch (what) {
    case 'after': {
      const delay = rest.endsWith(`.${id}`) ? rest.slice(0, -id.length - 1) : rest;
      return { label: `after ${/^\d+$/.test(delay) ? formatDuration(Number(delay)) : delay}`, kind: 'delay' };
    }
    case 'done.actor':
      return { label: `${actor} done`, kind: 'done' };
    case 'error.actor':
      return { label: `${actor} failed`, kind: 'failed' };
    case 'done.state':
      return { label: `${rest === id ? 'all' : rest} done`, kind: 'done' };
    case 'snapshot':
      return { label: `${actor} changed`, kind: 'event' };
    default:
      return { label: type === '*' ? 'any event' : type, kind: 'event' };
  }
}
