/** One file of a screen recording: WebM, VP8. */
export interface RecordingSegment {
  /** Counts up from 1. */
  readonly number: number;
  /** RFC 3339. */
  readonly started_at: string;
  readonly size_bytes: number;
  /** It still grows. */
  readonly active: boolean;
}

/** The recording of a sandbox's screen. */
export interface ScreenRecording {
  readonly status: 'recording' | 'stopped';
  /** Why nothing is written although it is on; null where all is well. */
  readonly error: string | null;
  /** Of all segments together; above it the oldest are deleted. */
  readonly limit_bytes: number;
  /** Oldest first. */
  readonly segments: readonly RecordingSegment[];
}
