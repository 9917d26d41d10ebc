import type { BetaPackages } from '@anthropic-ai/sdk/resources/beta/environments/environments.js';
import { z } from 'zod';

export const NO_PACKAGES: BetaPackages = {
  type: 'packages',
  apt: [],
  cargo: [],
  gem: [],
  go: [],
  npm: [],
  pip: [],
};

const MAX_NAMES = 100;
const MAX_LENGTH = 214;

/**
 * The name of a package of a registry, with an optional version, in each manager's own syntax. Options, paths and URLs
 * do not match, nor does apt's trailing `-`, which would remove the package.
 */
const SYNTAX = {
  apt: [/^[a-z0-9][a-z0-9+.-]*[a-z0-9+](:[a-z0-9]+)?(=[A-Za-z0-9.+:~-]+)?$/, 'curl or curl=7.88.1-10'],
  cargo: [/^[A-Za-z][A-Za-z0-9_-]*(@[0-9A-Za-z.^~=*+-]+)?$/, 'ripgrep or ripgrep@14.1.0'],
  gem: [/^[A-Za-z0-9][A-Za-z0-9._-]*(:[0-9][0-9A-Za-z.-]*)?$/, 'rake or rake:13.1.0'],
  go: [
    /^[a-z0-9][a-z0-9-]*(\.[a-z0-9-]+)+(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+(@[A-Za-z0-9._+-]+)?$/,
    'example.com/tool or example.com/tool@v1.2.3',
  ],
  npm: [
    /^(@[a-z0-9][a-z0-9._~-]*\/)?[a-z0-9][a-z0-9._~-]*(@[A-Za-z0-9.^~<>=|*+ -]+)?$/,
    'prettier, prettier@3.2.5 or @scope/name@1',
  ],
  pip: [
    /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?(\[[A-Za-z0-9._, -]+\])?( *(===|==|>=|<=|~=|!=|<|>) *[A-Za-z0-9.*+!_-]+(, *(===|==|>=|<=|~=|!=|<|>) *[A-Za-z0-9.*+!_-]+)*)?$/,
    'numpy, numpy==1.26.4 or uvicorn[standard]>=0.30,<1',
  ],
} as const satisfies Readonly<Record<string, readonly [RegExp, string]>>;

const packageNames = (manager: keyof typeof SYNTAX): z.ZodType<string[] | null | undefined> => {
  const [pattern, example] = SYNTAX[manager];
  return z
    .array(
      z
        .string()
        .max(MAX_LENGTH)
        .refine((name) => pattern.test(name), {
          message: `expected the name of a package of ${manager}, perhaps with a version: ${example}`,
        }),
    )
    .max(MAX_NAMES)
    .nullish();
};

/** `packages` of a cloud environment. They are installed in its sandboxes before the first action. */
export const packages = z
  .strictObject({
    type: z.literal('packages').optional(),
    apt: packageNames('apt'),
    cargo: packageNames('cargo'),
    gem: packageNames('gem'),
    go: packageNames('go'),
    npm: packageNames('npm'),
    pip: packageNames('pip'),
  })
  .transform((given): BetaPackages => ({
    type: 'packages',
    apt: given.apt ?? [],
    cargo: given.cargo ?? [],
    gem: given.gem ?? [],
    go: given.go ?? [],
    npm: given.npm ?? [],
    pip: given.pip ?? [],
  }));

export function namesAny({ apt, cargo, gem, go, npm, pip }: BetaPackages): boolean {
  return [apt, cargo, gem, go, npm, pip].some((names) => names.length > 0);
}
