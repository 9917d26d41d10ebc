/**
 * The step that adds what an update of a namespace may set beside its description: the state (a number of
 * `temporal.api.enums.v1.NamespaceState`), data of the owner and bad binaries (as JSON of their messages).
 */
export const NAMESPACE_DETAILS_STEP = `
ALTER TABLE namespaces ADD COLUMN state INTEGER NOT NULL DEFAULT 1;
ALTER TABLE namespaces ADD COLUMN data TEXT NOT NULL DEFAULT '{}';
ALTER TABLE namespaces ADD COLUMN bad_binaries TEXT NOT NULL DEFAULT '{}';
`;
