import type { HistoryEvent } from './history-event.ts';
import type { EventGroup } from './groups.ts';

/** What each way to show a history takes. */
export interface HistoryViewProps {
  readonly events: readonly HistoryEvent[];
  readonly groups: readonly EventGroup[];
  /** Events are still coming: the run goes on. */
  readonly live: boolean;
  /** The id of the event that is open. */
  readonly event: number | undefined;
  readonly onEvent: (event: number | undefined) => void;
}
