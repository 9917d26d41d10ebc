import { randomUUID } from 'node:crypto';
import { privateMissing, queryPostgres, startPrivatePostgres } from './private-postgres.cjs';

export { privateMissing };

/** A server to use in place of a private one: `postgres://user:password@host:port/database`. `npm test` starts one for all files. */
const GIVEN = process.env['STEADYHAND_TEST_POSTGRES'];

/** Why no server can be had; undefined where one can. */
export const postgresMissing: string | undefined =
  GIVEN === undefined && privateMissing !== undefined
    ? `${privateMissing}, and STEADYHAND_TEST_POSTGRES names no server`
    : undefined;

export interface TestPostgres {
  /** Makes an empty database and answers its URL. */
  database(): Promise<string>;
  /** Kills the server's processes, as a crash of the machine would; only where the server is a private one. */
  crash(): Promise<void>;
  /** Starts it again, on the same port. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** The server that STEADYHAND_TEST_POSTGRES names, else a private one, which ends with this process at the latest. */
export async function openPostgres(): Promise<TestPostgres> {
  return GIVEN === undefined ? privatePostgres() : givenPostgres(GIVEN);
}

/** A server that no other test uses, so that it may be stopped and started. */
export async function privatePostgres(options: { durable?: boolean } = {}): Promise<TestPostgres> {
  const { url, crash, start, close } = await startPrivatePostgres(options);
  return { database: () => createDatabase(url), crash, start, close };
}

function givenPostgres(url: string): TestPostgres {
  const made: string[] = [];
  const refuse = async (): Promise<never> => {
    throw new Error('only a private server may be stopped');
  };
  return {
    async database() {
      made.push(await createDatabase(url));
      return made.at(-1) ?? '';
    },
    crash: refuse,
    start: refuse,
    async close() {
      await queryPostgres(
        url,
        ...made.map((each) => `DROP DATABASE "${new URL(each).pathname.slice(1)}" WITH (FORCE)`),
      );
    },
  };
}

async function createDatabase(url: string): Promise<string> {
  const name = `sh_test_${randomUUID().replaceAll('-', '')}`;
  await queryPostgres(url, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'`);
  const made = new URL(url);
  made.pathname = `/${name}`;
  return made.href;
}
