import { z } from 'zod';
import { payload, type Payload } from './payload.ts';

const KINDS = [
  'application',
  'timeout',
  'canceled',
  'terminated',
  'server',
  'reset',
  'activity',
  'child_workflow',
  'nexus_operation',
  'nexus_handler',
  'unknown',
] as const;

/** A failure of Temporal's API, with its causes. */
export interface Failure {
  kind: (typeof KINDS)[number];
  /** Of an application failure the error's name, of a timeout its kind. */
  type: string | null;
  message: string;
  stack_trace: string;
  /** The SDK that made it. */
  source: string;
  non_retryable: boolean;
  retry_state: string | null;
  /** Of an activity its type, of a child the workflow's type, of a nexus operation its name. */
  subject: string | null;
  /** Of an activity its id, of a child its workflow id. */
  subject_id: string | null;
  /** Of an activity's failure, the worker. */
  identity: string | null;
  details: Payload[];
  cause: Failure | null;
}

/**
 * Stands for `failure` inside itself, because a schema that contains itself would be described by pointers into itself. Whoever
 * describes both gives them one name.
 */
export const failureCause: z.ZodType<Failure> = z.any();

export const failure: z.ZodType<Failure> = z.object({
  kind: z.enum(KINDS),
  type: z.string().nullable().describe('Of an application failure the error’s name, of a timeout its kind'),
  message: z.string(),
  stack_trace: z.string(),
  source: z.string().describe('The SDK that made it'),
  non_retryable: z.boolean(),
  retry_state: z.string().nullable().describe('Why an activity or a child was not tried again'),
  subject: z
    .string()
    .nullable()
    .describe('The type of the activity or child workflow, or the name of the nexus operation'),
  subject_id: z.string().nullable().describe('The id of the activity or child workflow'),
  identity: z.string().nullable().describe('The worker that had the activity'),
  details: z.array(payload),
  cause: failureCause.nullable(),
});
