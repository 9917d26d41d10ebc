/** What a model's name says of it: its line, and its version such as 4.6. */
export interface ClaudeModel {
  readonly family: 'opus' | 'sonnet' | 'haiku' | 'fable' | 'mythos';
  /** Major and minor as one number of hundreds, so that they compare: 4.6 is 406, 4.10 is 410. */
  readonly version: number;
}

/** 4.7: from here on models have another tokenizer and look at larger pictures. */
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
