import type { ReactElement } from 'react';
import type { Session } from '../../client/api.ts';
import { PlaceMark, type Size } from '../tools/place-mark.tsx';
import { shownUse } from '../tools/shown-use.ts';
import type { ToolRow } from '../turns/rows.ts';

interface PendingMarkProps {
  readonly session: Session;
  readonly pending: ToolRow | undefined;
}

/** The click that waits for a person, drawn over the live screen. */
export function PendingMark({ session, pending }: PendingMarkProps): ReactElement | null {
  const shown = pending === undefined ? undefined : shownUse(pending.use);
  const size = displaySize(session);
  if (shown?.kind !== 'pointer' || size === undefined) return null;
  return <PlaceMark size={size} to={shown.to} from={shown.from} pending />;
}

/** The size of the screen that the model was told, in whose pixels its coordinates are. */
function displaySize({ agent }: Session): Size | undefined {
  for (const tool of agent.tools as readonly { display_width_px?: number; display_height_px?: number }[]) {
    const { display_width_px: width, display_height_px: height } = tool;
    if (width !== undefined && height !== undefined) return { width, height };
  }
  return undefined;
}
