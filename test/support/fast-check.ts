/**
 * fast-check for every property test here. Each run draws the same cases, so that the same code gives the same result;
 * `STEADYHAND_TEST_SEED=random` looks further, and `STEADYHAND_TEST_SEED=<integer>` draws those of a failure again.
 */
import fc from 'fast-check';

export { default as fc } from 'fast-check';

const DEFAULT_SEED = 20_261_122;
const asked = process.env['STEADYHAND_TEST_SEED'];

if (asked !== 'random') {
  const seed = asked === undefined || asked === '' ? DEFAULT_SEED : Number(asked);
  if (!Number.isInteger(seed))
    throw new Error(`STEADYHAND_TEST_SEED is \`${asked}\`; it must be \`random\` or an integer`);
  fc.configureGlobal({ seed });
}
