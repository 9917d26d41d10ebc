import { z } from 'zod';
import type { DamagedSandboxInfo, NetworkRequest, SandboxInfo } from '@steadyhand/contracts';
import type { NetworkLogPage } from '@steadyhand/sandbox/client';
import { actionPolicy } from '@steadyhand/sessions';
import { named } from '../routing/components.ts';
import { anyObject, time } from '../routing/shapes.ts';
import { networking } from './environments.ts';

export const networkRequest = {
  number: z.int().describe('Counts the sandbox’s requests from 1'),
  at: time.describe('When it began; the entry comes when it is over'),
  host: z.string(),
  port: z.int(),
  method: z.string().describe('`CONNECT`, or the method of a plain request'),
  verdict: z.enum(['allowed', 'denied']),
  reason: z.string().nullable().describe('Why it was denied, or how it failed'),
  bytes_sent: z.int(),
  bytes_received: z.int(),
  duration_ms: z.number(),
} satisfies Readonly<Record<keyof NetworkRequest, z.ZodType>>;

export const networkLog = z.object({
  data: z.array(z.object(networkRequest)),
  last: z.int().describe('The newest number that there is'),
}) satisfies z.ZodType<NetworkLogPage>;

type SandboxFields = {
  readonly [F in keyof SandboxInfo]:
    | SandboxInfo[F]
    | (F extends keyof DamagedSandboxInfo ? DamagedSandboxInfo[F] : never);
};

const UNREADABLE = 'Null where its record is damaged';

export const sandbox = z.object({
  id: z.string(),
  type: z.literal('sandbox'),
  status: z
    .enum(['waiting', 'starting', 'running', 'stopped', 'failed', 'lost'])
    .describe(
      '`waiting`: no machine of the pool has been free for it yet; `failed`: a file of its own is damaged; `lost`: its machine is gone, and its files and programs with it. The last two can only be deleted',
    ),
  display: z.object({ width: z.int(), height: z.int() }).nullable().describe(UNREADABLE),
  compat: z.enum(['default', 'reference']).nullable().describe(UNREADABLE),
  isolation: z.enum(['bubblewrap', 'none', 'container', 'remote']).nullable().describe(UNREADABLE),
  networking: z
    .union([networking, z.object({ type: z.literal('none') })])
    .nullable()
    .describe(UNREADABLE),
  // Sandboxes keep it without knowing what it says.
  policy: z.exactOptional(actionPolicy as z.ZodType<unknown>),
  limits: z
    .object({
      memory_mib: z.int().nullable(),
      processes: z.int().nullable(),
      disk_mib: z.int().nullable().describe('Of the home folder and the outputs'),
      files: z.int().nullable().describe('Files and folders in them'),
      cpus: z.number().nullable(),
    })
    .nullable()
    .describe(UNREADABLE),
  created_at: time,
  boot: z.string().nullable(),
  reason: z.string().nullable().describe('Why it is `failed`: the file, and what is wrong with it'),
  session_id: z.string().nullable().describe('The session whose agent uses it; null for one of its own'),
}) satisfies z.ZodType<SandboxFields>;

export const sandboxTool = z.object({
  action: z.string().describe('What it does, e.g. `left_click`; unique among those of its tool'),
  description: z.string(),
  tool: z
    .looseObject({ type: z.string(), name: z.exactOptional(z.string()) })
    .describe('The entry of `tools` in `POST /v1/sandboxes/{id}/tool_results`'),
  name: z.string().describe('The `name` of a use'),
  toolset_name: z.exactOptional(z.string()).describe('The `toolset_name` of a use'),
  input_schema: anyObject.describe('A JSON Schema of a use’s `input`'),
});

const resultContent = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('image'),
    source: z.object({
      type: z.literal('base64'),
      media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
      data: z.string(),
    }),
  }),
]);

export const toolResults = z.object({
  content: z.array(
    z.object({
      type: z.literal('tool_result'),
      tool_use_id: z.string(),
      toolset_name: z.exactOptional(z.string()),
      content: z.union([z.string(), z.array(resultContent)]),
      is_error: z.boolean(),
    }),
  ),
});

named({ networkLog, sandbox, sandboxTool, toolResults });
