export { LEAST_SECRET_CHARACTERS } from '../secrets/encodings.ts';
export { createRedactor, type NamedSecret, type Redactor } from '../secrets/redactor.ts';
