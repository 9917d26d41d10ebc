/** What operators watch. */
export interface StoreFigures {
  /** The number of sessions in each status; archived ones and those that are being deleted are left out. */
  readonly sessions: Readonly<Record<string, number>>;
  readonly outbox: {
    readonly events: number;
    /** When the oldest of them was appended, in RFC 3339; null without any. */
    readonly oldest_at: string | null;
  };
}
