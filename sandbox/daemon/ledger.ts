import { createHash } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SandboxLayout } from '../layout.ts';
import type { ActionOutcome, ActionRequest, ResultContent } from '../protocol.ts';
import { syncFolder } from '../sync-folder.ts';
import { BlobFolder } from './blob-folder.ts';
import { RecordLog, type RecordPosition } from './record-log.ts';
import { errorText } from '../error-fields.ts';

/** Bytes set aside so that an outcome can be written when the disk is full. */
const RESERVE_BYTES = 256 * 1024;

type LedgerRecord =
  | { readonly t: 'boot'; readonly boot: string; readonly at: string }
  | { readonly t: 'intent'; readonly key: string; readonly input: string; readonly at: string }
  | ({
      readonly t: 'outcome';
      readonly key: string;
      readonly input: string;
      readonly at: string;
    } & StoredOutcome);

/** An outcome as it is kept: pictures are names of blobs. */
interface StoredOutcome {
  readonly outcome:
    | { readonly status: 'unknown'; readonly reason: string }
    | {
        readonly status: 'done' | 'interrupted';
        readonly is_error: boolean;
        readonly content: string | readonly StoredContent[];
      };
}
type StoredContent =
  { readonly type: 'text'; readonly text: string } | { readonly type: 'image'; readonly blob: string };

interface Entry {
  /** `digestOf` the action: one key stands for one. */
  readonly input: string;
  readonly outcome: RecordPosition | ActionOutcome | null;
}

/** Nothing was written, so nothing may be done. */
export class LedgerFullError extends Error {
  override readonly name = 'LedgerFullError';
}

/**
 * What was meant and what came of it, for every key a sandbox has seen. An intent is on the disk before its action begins,
 * an outcome before it is answered.
 */
export class Ledger {
  readonly #layout: SandboxLayout;
  readonly #log: RecordLog;
  readonly #blobs: BlobFolder;
  readonly #entries: Map<string, Entry>;
  readonly #now: () => Date;
  /** Computers that were started for this sandbox before this daemon's. */
  readonly formerBoots: number;

  static async open(layout: SandboxLayout, now: () => Date = () => new Date()): Promise<Ledger> {
    const entries = new Map<string, Entry>();
    let boots = 0;
    const log = await RecordLog.open(layout.ledger, (record, position) => {
      // Written by this class, and vouched for by its checksum.
      const known = record as LedgerRecord;
      if (known.t === 'boot') boots += 1;
      else entries.set(known.key, { input: known.input, outcome: known.t === 'outcome' ? position : null });
    });
    await syncFolder(dirname(layout.ledger));
    const ledger = new Ledger(layout, log, entries, boots, now);
    await ledger.#setAside().catch(() => undefined);
    return ledger;
  }

  private constructor(
    layout: SandboxLayout,
    log: RecordLog,
    entries: Map<string, Entry>,
    formerBoots: number,
    now: () => Date,
  ) {
    this.#layout = layout;
    this.#log = log;
    this.#blobs = new BlobFolder(layout.blobs);
    this.#entries = entries;
    this.#now = now;
    this.formerBoots = formerBoots;
  }

  async boot(boot: string): Promise<void> {
    await this.#log.append({ t: 'boot', boot, at: this.#now().toISOString() } satisfies LedgerRecord);
  }

  /** What is known of a key; `outcome` null means that an attempt began and never ended. */
  async find(
    key: string,
  ): Promise<{ readonly input: string; readonly outcome: ActionOutcome | null } | null> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    const { input, outcome } = entry;
    if (outcome === null || 'status' in outcome) return { input, outcome };
    const record = (await this.#log.read(outcome)) as StoredOutcome;
    return { input, outcome: await this.#load(record.outcome) };
  }

  /** Writes the intent; LedgerFullError when it could not be written, and then the action must not begin. */
  async intend(key: string, input: string): Promise<void> {
    try {
      await this.#setAside();
      await this.#log.append({
        t: 'intent',
        key,
        input,
        at: this.#now().toISOString(),
      } satisfies LedgerRecord);
    } catch (error) {
      throw new LedgerFullError(
        `the action was not begun: its intent could not be written (${errorText(error)})`,
      );
    }
    this.#entries.set(key, { input, outcome: null });
  }

  /**
   * Writes the outcome. The action has happened, so this goes to any length: room set aside is given up, then the pictures.
   * When nothing helps the outcome is kept in memory, which a later call of this daemon's still answers from.
   */
  async conclude(key: string, input: string, outcome: ActionOutcome): Promise<void> {
    for (const attempt of [
      () => this.#write(key, input, outcome, true),
      () => this.#giveUpReserve(key, input, outcome),
    ]) {
      try {
        await attempt();
        return;
      } catch {
        // The next one needs less.
      }
    }
    this.#entries.set(key, { input, outcome });
  }

  close(): Promise<void> {
    return this.#log.close();
  }

  async #giveUpReserve(key: string, input: string, outcome: ActionOutcome): Promise<void> {
    await rm(this.#layout.reserve, { force: true });
    try {
      await this.#write(key, input, outcome, true);
    } catch {
      await this.#write(key, input, outcome, false);
    }
  }

  async #write(key: string, input: string, outcome: ActionOutcome, pictures: boolean): Promise<void> {
    const stored = await this.#store(outcome, pictures);
    const record: LedgerRecord = { t: 'outcome', key, input, outcome: stored, at: this.#now().toISOString() };
    this.#entries.set(key, { input, outcome: await this.#log.append(record) });
  }

  async #store(outcome: ActionOutcome, pictures: boolean): Promise<StoredOutcome['outcome']> {
    if (outcome.status === 'unknown' || typeof outcome.content === 'string') {
      return outcome as StoredOutcome['outcome'];
    }
    const content: StoredContent[] = [];
    for (const block of outcome.content) {
      if (block.type === 'text') content.push(block);
      else if (pictures) {
        content.push({
          type: 'image',
          blob: await this.#blobs.put(Buffer.from(block.source.data, 'base64')),
        });
      } else
        content.push({
          type: 'text',
          text: '<system>the picture could not be kept: the disk is full</system>',
        });
    }
    return { ...outcome, content };
  }

  async #load(stored: StoredOutcome['outcome']): Promise<ActionOutcome> {
    if (stored.status === 'unknown' || typeof stored.content === 'string') return stored as ActionOutcome;
    const content: ResultContent[] = [];
    for (const block of stored.content) {
      if (block.type === 'text') content.push(block);
      else {
        const data = (await this.#blobs.get(block.blob)).toString('base64');
        content.push({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });
      }
    }
    return { ...stored, content };
  }

  /** Fills the reserve with real bytes; a sparse file would keep no room. */
  async #setAside(): Promise<void> {
    const found = await stat(this.#layout.reserve).catch(() => null);
    if (found !== null && found.size === RESERVE_BYTES) return;
    const file = await open(this.#layout.reserve, 'w', 0o600);
    try {
      await file.writeFile(Buffer.alloc(RESERVE_BYTES, 0xa5));
      await file.datasync();
    } finally {
      await file.close();
    }
  }
}

/**
 * What one key stands for: the tool and its input, with object keys in any order. The rest of the tool's definition may
 * change between two attempts without making it another action.
 */
export function digestOf({ tool, input }: Pick<ActionRequest, 'tool' | 'input'>): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted({ type: tool.type, name: tool.name, input })))
    .digest('hex')
    .slice(0, 32);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}
