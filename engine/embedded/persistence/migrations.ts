import { SCHEMA } from './schema.ts';

/**
 * The steps that make the engine's tables, in order; `schema_version` counts the ones applied. A step that has been released
 * is never edited. Visibility and search attributes make tables of their own beside these.
 */
export const MIGRATIONS: readonly string[] = [SCHEMA];
