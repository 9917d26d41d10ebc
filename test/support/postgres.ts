import { postgresMissing, privateMissing } from './postgres-server.ts';

export { openPostgres, privatePostgres, type TestPostgres } from './postgres-server.ts';

/** `describe` where there is a PostgreSQL server, else one that skips. */
export const describeWithPostgres = postgresMissing === undefined ? describe : describe.skip;

/** The same where the tests can have a server of their own, which they may crash. */
export const describeWithPrivatePostgres = privateMissing === undefined ? describe : describe.skip;

if (postgresMissing !== undefined)
  process.stderr.write(`tests with PostgreSQL skipped: ${postgresMissing}\n`);
