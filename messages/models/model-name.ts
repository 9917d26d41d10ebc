/** The family and the version, such as 4.6, that a model's name holds. */
export interface ClaudeModel {
  readonly family: 'opus' | 'sonnet' | 'haiku' | 'fable' | 'mythos';
  /** The version as one number that can be compared: 4.6 is 406, 4.10 is 410. */
  readonly version: number;
}

/** From 4.7 on models have another tokenizer and see larger pictures. */
const NEWER = 407;

const VERSION = String.raw`(\d{1,2})(?:-(\d{1,2}))?(?![\d])`;
/** `claude-opus-4-6`, `claude-sonnet-4-20250514`, also behind a platform's prefix and before its suffix. */
const FAMILY_FIRST = new RegExp(`claude-(opus|sonnet|haiku|fable|mythos)-${VERSION}`);
/** `claude-3-5-sonnet-20241022`, as names were formed before version 4. */
const VERSION_FIRST = new RegExp(`claude-${VERSION}-(opus|sonnet|haiku)`);

const hundreds = (major: string | undefined, minor = '0'): number => Number(major) * 100 + Number(minor);

/** Reads a model's name; null for a name that is none of Claude's. */
export function claudeModel(model: string): ClaudeModel | null {
  const first = FAMILY_FIRST.exec(model);
  if (first !== null) {
    const [, family, major, minor] = first;
    return { family: family as ClaudeModel['family'], version: hundreds(major, minor) };
  }
  const second = VERSION_FIRST.exec(model);
  if (second !== null) {
    const [, major, minor, family] = second;
    return { family: family as ClaudeModel['family'], version: hundreds(major, minor) };
  }
  return model.includes('claude-mythos-preview') ? { family: 'mythos', version: NEWER } : null;
}

/** Whether a model is Claude 4.7 or a later one. */
export function isNewer(model: string): boolean {
  const claude = claudeModel(model);
  return claude !== null && claude.version >= NEWER;
}
