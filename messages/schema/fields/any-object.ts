import { z } from 'zod';
import { isRecord } from '../../api/is-record.ts';
import { accepting } from './accepted-form.ts';

/**
 * Accepts any object and keeps it as it is, without a copy, so that no key is lost.
 *
 * @param told the message for any other value
 */
export function anyObject(told = 'Input should be a valid dictionary'): z.ZodType<Record<string, unknown>> {
  return accepting(z.custom<Record<string, unknown>>(isRecord, told), z.record(z.string(), z.unknown()));
}
