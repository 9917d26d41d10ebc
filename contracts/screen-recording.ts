/** One file of a screen recording, in WebM with VP8. */
export interface RecordingSegment {
  /** Counts up from 1. */
  readonly number: number;
  /** RFC 3339. */
  readonly started_at: string;
  readonly size_bytes: number;
  /** Whether the file is still being written. */
  readonly active: boolean;
}

/** The recording of a sandbox's screen. */
export interface ScreenRecording {
  readonly status: 'recording' | 'stopped';
  /** Why nothing is written although the recording is on; null where it is written. */
  readonly error: string | null;
  /** The size of all segments together; above it the oldest are deleted. */
  readonly limit_bytes: number;
  /** The segments, oldest first. */
  readonly segments: readonly RecordingSegment[];
}
