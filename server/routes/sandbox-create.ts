import { z } from 'zod';
import type { Networking } from '@steadyhand/contracts';
import { actionPolicy, networkingInput, networkingOf } from '@steadyhand/sessions';

const DEFAULT_DISPLAY = { width: 1024, height: 768 };

const pixels = z.int().min(1).max(8192);

/** The body of `POST /v1/sandboxes`. A limit that is left out is the server's own; null holds none. */
export const createBody = z.strictObject({
  snapshot_id: z.exactOptional(z.string()),
  display: z.strictObject({ width: pixels, height: pixels }).default(DEFAULT_DISPLAY),
  compat: z.enum(['default', 'reference']).default('default'),
  policy: z.exactOptional(actionPolicy),
  networking: z.exactOptional(z.union([z.strictObject({ type: z.literal('none') }), networkingInput])),
  limits: z.exactOptional(
    z.strictObject({
      memory_mib: z.exactOptional(z.int().min(64).max(16_777_216).nullable()),
      processes: z.exactOptional(z.int().min(32).max(4_194_304).nullable()),
      disk_mib: z.exactOptional(z.int().min(1).max(1_073_741_824).nullable()),
      files: z.exactOptional(z.int().min(100).max(1_000_000_000).nullable()),
      cpus: z.exactOptional(z.number().min(0.05).max(1024).nullable()),
    }),
  ),
});

/** As sandboxes take it: fields of `networking` that were left out are off. */
export function toNetworking(given: z.infer<typeof createBody>['networking']): Networking | undefined {
  if (given === undefined || given.type === 'none') return given;
  return networkingOf(given);
}
