import { z } from 'zod';
import { isRecord } from '../../api/is-record.ts';
import { accepting } from './accepted-form.ts';

/**
 * An object whose inside is nobody's business here: it is kept as it came, not copied, so that no key of it is lost.
 *
 * @param told what is said of anything else
 */
export function anyObject(told = 'Input should be a valid dictionary'): z.ZodType<Record<string, unknown>> {
  return accepting(z.custom<Record<string, unknown>>(isRecord, told), z.record(z.string(), z.unknown()));
}
