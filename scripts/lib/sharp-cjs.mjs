import { createRequire } from 'node:module';

/**
 * Bundled in place of the package: sharp's ESM build is written in a syntax (import attributes) that Node has since 20.10
 * alone, its CommonJS build is not.
 */
export default createRequire(import.meta.url)('sharp');
