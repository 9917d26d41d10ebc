import { useKeys } from '../../parts/keys.ts';
import { jumpTo } from './landmarks.tsx';
import type { MomentView } from './use-moment.ts';
import type { Playing } from './use-play.ts';

const GROUP = 'Through the session';

/** Keys that go through the session. */
export function useTimeKeys(view: MomentView, { toggle }: Playing): void {
  const { moments, held, go } = view;
  const index = held ?? moments.length - 1;
  useKeys([
    { keys: 'j', label: 'Step forward', group: GROUP, run: () => go(index + 1) },
    { keys: 'k', label: 'Step back', group: GROUP, run: () => go(index - 1) },
    { keys: 'p', label: 'Play or pause', group: GROUP, run: toggle },
    { keys: 'l', label: 'Back to the newest', group: GROUP, run: () => go(moments.length - 1) },
    { keys: 'e', label: 'To the next error', group: GROUP, run: () => jumpTo(view, 'error') },
    { keys: 'a', label: 'To the next approval', group: GROUP, run: () => jumpTo(view, 'approval') },
    { keys: 't', label: 'To the next takeover', group: GROUP, run: () => jumpTo(view, 'takeover') },
  ]);
}
