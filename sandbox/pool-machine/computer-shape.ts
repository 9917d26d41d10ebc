import { isDeepStrictEqual } from 'node:util';
import {
  DEFAULT_BASH_TIMEOUT_MS,
  DEFAULT_DISPLAY,
  DEFAULT_LIMITS,
  DEFAULT_NETWORKING,
  NO_PACKAGES,
  type SandboxConfig,
} from '../config.ts';

/** What a computer is started with. A computer that was started for nobody yet suits every sandbox of its shape. */
export type ComputerShape = Pick<
  SandboxConfig,
  'display' | 'compat' | 'networking' | 'packages' | 'limits' | 'bash_timeout_ms'
>;

/** The shape of a sandbox whose request names nothing, at a server that configures nothing. */
export const DEFAULT_SHAPE: ComputerShape = {
  display: DEFAULT_DISPLAY,
  compat: 'default',
  networking: DEFAULT_NETWORKING,
  packages: NO_PACKAGES,
  limits: DEFAULT_LIMITS,
  bash_timeout_ms: DEFAULT_BASH_TIMEOUT_MS,
};

export function shapeOf(config: SandboxConfig): ComputerShape {
  const { display, compat, networking, packages, limits, bash_timeout_ms } = config;
  return { display, compat, networking, packages, limits, bash_timeout_ms };
}

export function isSameShape(a: ComputerShape, b: ComputerShape): boolean {
  return isDeepStrictEqual(a, b);
}
