import { readRecording, readSegment, switchRecording } from '../sandbox/client/recording.ts';
import type { Sandboxes } from '../sandbox/client/sandboxes.ts';
import type { ScreenRecordingService } from '../server/services.ts';
import { asked } from './sandbox-service.ts';

/** Screen recordings as the server uses them: their errors become the API's. */
export function screenRecordingService(sandboxes: Pick<Sandboxes, 'reach'>): ScreenRecordingService {
  return {
    read: (sandbox) => asked(() => readRecording(sandboxes, sandbox)),
    switch: (sandbox, action) => asked(() => switchRecording(sandboxes, sandbox, action)),
    segment: (sandbox, number) => asked(() => readSegment(sandboxes, sandbox, number)),
  };
}
