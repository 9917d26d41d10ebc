import { createRequire } from 'node:module';

/**
 * Bundled in place of the package, because sharp's ESM build uses import attributes, which Node has since 20.10. Its CommonJS
 * build does not use them.
 */
export default createRequire(import.meta.url)('sharp');
