import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import {
  type ActionOutcome,
  type ActionRequest,
  type ResultContent,
  SandboxError,
} from '@steadyhand/contracts';
import type { SandboxLayout } from '../../layout.ts';
import { BlobFolder } from './blob-folder.ts';
import { type Disk, REAL_DISK, writeAll } from './disk.ts';
import {
  blobsOf,
  endOf,
  type LedgerRecord,
  type OldKey,
  outcomeOf,
  type StoredContent,
  type StoredOutcome,
} from './ledger-records.ts';
import { RecordLog, type RecordPosition } from './record-log.ts';
import { errorText } from '../../error-fields.ts';
import { SerialQueue } from '../../serial-queue.ts';
import { pictureHeader } from '../../picture-header.ts';

/** Bytes that are set aside so that an outcome can be written when the disk is full. */
const RESERVE_BYTES = 256 * 1024;

interface Entry {
  /** The `digestOf` the action: a key stands for one action. */
  readonly input: string;
  /**
   * Its position in the file; the outcome itself when it could not be written; how it ended when the key is old; null
   * when the action was begun and never ended.
   */
  readonly outcome: RecordPosition | ActionOutcome | OldKey[2] | null;
}

/** How much is kept before the oldest outcomes are shortened to how they ended. Keys are kept for ever. */
interface LedgerLimits {
  readonly logBytes: number;
  /** Bytes of pictures. */
  readonly blobBytes: number;
}
const DEFAULT_LIMITS: LedgerLimits = { logBytes: 16 * 1024 * 1024, blobBytes: 512 * 1024 * 1024 };
const DAMAGED_PICTURE =
  '<system>the picture of this result was damaged on the disk and cannot be shown</system>';
/** The number of old keys in one record. */
const OLD_KEYS = 500;

interface LedgerOptions {
  readonly now?: () => Date;
  readonly disk?: Disk;
  readonly limits?: LedgerLimits;
}

/**
 * The intents and outcomes of all keys. An intent is durable before its action begins, an outcome before it is
 * returned.
 */
export class Ledger {
  readonly #layout: SandboxLayout;
  #log: RecordLog;
  readonly #blobs: BlobFolder;
  readonly #entries: Map<string, Entry>;
  readonly #now: () => Date;
  readonly #disk: Disk;
  readonly #limits: LedgerLimits;
  /** The size of the log above which it is compacted. */
  #compactAbove: number;
  /** Whether the name may still lead to the ledger of before a compaction after a power cut. */
  #nameUnsure = false;
  #boots: number;
  /** Writes go one after another: each record is chained to the one before. */
  readonly #writes = new SerialQueue();
  /** The number of computers that earlier daemons started for this sandbox. */
  readonly formerBoots: number;

  static async open(layout: SandboxLayout, options: LedgerOptions = {}): Promise<Ledger> {
    const { disk = REAL_DISK } = options;
    const entries = new Map<string, Entry>();
    let boots = 0;
    const log = await RecordLog.open(
      layout.ledger,
      (record, position) => {
        // This class has written the record, and its checksum was right.
        const known = record as LedgerRecord;
        if (known.t === 'boot') boots += 1;
        else if (known.t === 'boots') boots += known.count;
        else if (known.t === 'old') {
          for (const [key, input, outcome] of known.keys) entries.set(key, { input, outcome });
        } else
          entries.set(known.key, { input: known.input, outcome: known.t === 'outcome' ? position : null });
      },
      disk,
    );
    const ledger = new Ledger(layout, log, entries, boots, options);
    try {
      await disk.remove(layout.ledgerDraft);
      await disk.syncFolder(dirname(layout.ledger));
      await ledger.#blobs.count();
    } catch (error) {
      await log.close();
      throw error;
    }
    await ledger.#setAside().catch(() => undefined);
    return ledger;
  }

  private constructor(
    layout: SandboxLayout,
    log: RecordLog,
    entries: Map<string, Entry>,
    formerBoots: number,
    { now = () => new Date(), disk = REAL_DISK, limits = DEFAULT_LIMITS }: LedgerOptions,
  ) {
    this.#layout = layout;
    this.#log = log;
    this.#disk = disk;
    this.#blobs = new BlobFolder(layout.blobs, disk);
    this.#entries = entries;
    this.#now = now;
    this.#limits = limits;
    this.#compactAbove = limits.logBytes;
    this.#boots = formerBoots;
    this.formerBoots = formerBoots;
  }

  async boot(boot: string): Promise<void> {
    await this.#writes.run(() =>
      this.#append({ t: 'boot', boot, at: this.#now().toISOString() } satisfies LedgerRecord),
    );
    this.#boots += 1;
  }

  /** What is known of a key. An `outcome` of null means that an attempt began and never ended. */
  async find(
    key: string,
  ): Promise<{ readonly input: string; readonly outcome: ActionOutcome | null } | null> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    const { input, outcome } = entry;
    if (typeof outcome === 'string') return { input, outcome: await this.#load(outcomeOf(outcome)) };
    if (outcome === null || 'status' in outcome) return { input, outcome };
    const record = (await this.#log.read(outcome)) as StoredOutcome;
    return { input, outcome: await this.#load(record.outcome) };
  }

  /** Writes the intent. Throws SandboxError `storage_full` when that fails; the action must not begin then. */
  async intend(key: string, input: string): Promise<void> {
    const intent: LedgerRecord = { t: 'intent', key, input, at: this.#now().toISOString() };
    try {
      await this.#writes.run(async () => {
        await this.#setAside();
        await this.#append(intent);
      });
    } catch (error) {
      throw new SandboxError(
        'storage_full',
        `the action was not begun: its intent could not be written (${errorText(error)})`,
      );
    }
    this.#entries.set(key, { input, outcome: null });
  }

  /**
   * Writes the outcome. The action has happened, so this tries everything: it gives up the reserve, then the pictures.
   * When nothing helps the outcome is kept in memory, from which later calls to this daemon are answered.
   */
  conclude(key: string, input: string, outcome: ActionOutcome): Promise<void> {
    return this.#writes.run(async () => {
      for (const attempt of [
        () => this.#write(key, input, outcome, true),
        () => this.#giveUpReserve(key, input, outcome),
      ]) {
        try {
          await attempt();
          return await this.#compactWhenLarge();
        } catch {
          // The next attempt needs less room.
        }
      }
      this.#entries.set(key, { input, outcome });
    });
  }

  async close(): Promise<void> {
    await this.#writes.idle();
    await this.#log.close();
  }

  async #append(record: LedgerRecord): Promise<RecordPosition> {
    // Without this sync a power cut could bring back the former ledger, without this record.
    if (this.#nameUnsure) await this.#disk.syncFolder(dirname(this.#layout.ledger));
    this.#nameUnsure = false;
    return this.#log.append(record);
  }

  async #compactWhenLarge(): Promise<void> {
    const { blobBytes } = this.#limits;
    if (this.#log.size <= this.#compactAbove && this.#blobs.bytes <= blobBytes) return;
    try {
      await this.#compact();
    } catch {
      await this.#disk.remove(this.#layout.ledgerDraft).catch(() => undefined);
      // Nothing has changed. Trying again with every record would be useless.
      this.#compactAbove = this.#log.size + this.#limits.logBytes / 4;
    }
  }

  /**
   * Writes a new ledger beside the old one and renames it over the old one: the newest outcomes unchanged, up to half
   * of each limit; of older ones the key, its digest and how it ended. After a crash there is the old ledger or the new
   * one, whole.
   */
  async #compact(): Promise<void> {
    const { ledger, ledgerDraft } = this.#layout;
    const entries = [...this.#entries];
    const kept = await this.#newest(entries);
    await this.#disk.remove(ledgerDraft);
    const draft = await RecordLog.open(ledgerDraft, () => undefined, this.#disk);
    const compacted = new Map<string, Entry>();
    const blobs = new Set<string>();
    try {
      await draft.append({ t: 'boots', count: this.#boots } satisfies LedgerRecord, false);
      let old: OldKey[] = [];
      const writeOld = async (): Promise<void> => {
        if (old.length > 0) await draft.append({ t: 'old', keys: old } satisfies LedgerRecord, false);
        old = [];
      };
      for (const [key, { input, outcome }] of entries) {
        const record = kept.get(key);
        if (record !== undefined) {
          for (const name of blobsOf(record)) blobs.add(name);
          compacted.set(key, { input, outcome: await draft.append(record, false) });
        } else if (outcome === null) {
          const intent: LedgerRecord = { t: 'intent', key, input, at: this.#now().toISOString() };
          await draft.append(intent, false);
          compacted.set(key, { input, outcome });
        } else {
          const ended = await this.#ended(outcome);
          old.push([key, input, ended]);
          compacted.set(key, { input, outcome: ended });
          if (old.length === OLD_KEYS) await writeOld();
        }
      }
      await writeOld();
      await draft.sync();
      await this.#disk.rename(ledgerDraft, ledger);
    } catch (error) {
      await draft.close();
      throw error;
    }
    const former = this.#log;
    this.#log = draft;
    this.#nameUnsure = true;
    this.#entries.clear();
    for (const [key, entry] of compacted) this.#entries.set(key, entry);
    this.#compactAbove = Math.max(this.#limits.logBytes, draft.size * 2);
    await former.close().catch(() => undefined);
    await this.#disk.syncFolder(dirname(ledger));
    this.#nameUnsure = false;
    // The blobs are removed last, because the former ledger names them.
    await this.#blobs.keepOnly(blobs);
  }

  /** The outcomes that are kept unchanged. */
  async #newest(
    entries: readonly (readonly [string, Entry])[],
  ): Promise<ReadonlyMap<string, LedgerRecord & StoredOutcome>> {
    const kept = new Map<string, LedgerRecord & StoredOutcome>();
    let [log, blobs] = [this.#limits.logBytes / 2, this.#limits.blobBytes / 2];
    for (const [key, { input, outcome }] of entries.toReversed()) {
      if (outcome === null || typeof outcome === 'string') continue;
      const stored =
        'status' in outcome
          ? await this.#store(outcome, true)
          : ((await this.#log.read(outcome)) as StoredOutcome).outcome;
      const record = { t: 'outcome', key, input, outcome: stored, at: this.#now().toISOString() } as const;
      log -= 'status' in outcome ? JSON.stringify(record).length : outcome.length;
      for (const name of blobsOf(record)) blobs -= this.#blobs.sizeOf(name);
      if (log < 0 || blobs < 0) return kept;
      kept.set(key, record);
    }
    return kept;
  }

  async #ended(outcome: RecordPosition | ActionOutcome | OldKey[2]): Promise<OldKey[2]> {
    if (typeof outcome === 'string') return outcome;
    if ('status' in outcome) return endOf({ outcome: await this.#store(outcome, false) });
    return endOf((await this.#log.read(outcome)) as StoredOutcome);
  }

  async #giveUpReserve(key: string, input: string, outcome: ActionOutcome): Promise<void> {
    await this.#disk.remove(this.#layout.reserve);
    try {
      await this.#write(key, input, outcome, true);
    } catch {
      await this.#write(key, input, outcome, false);
    }
  }

  async #write(key: string, input: string, outcome: ActionOutcome, pictures: boolean): Promise<void> {
    const stored = await this.#store(outcome, pictures);
    const record: LedgerRecord = { t: 'outcome', key, input, outcome: stored, at: this.#now().toISOString() };
    const position = await this.#append(record);
    // The entry moves to the end, because entries are in the order of their outcomes.
    this.#entries.delete(key);
    this.#entries.set(key, { input, outcome: position });
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
        const bytes = await this.#blobs.get(block.blob);
        if (bytes === null) {
          content.push({ type: 'text', text: DAMAGED_PICTURE });
          continue;
        }
        const media_type = pictureHeader(bytes)?.type ?? 'image/png';
        const data = bytes.toString('base64');
        content.push({ type: 'image', source: { type: 'base64', media_type, data } });
      }
    }
    return { ...stored, content };
  }

  /** Fills the reserve with real bytes, because a sparse file would take no room. */
  async #setAside(): Promise<void> {
    const { reserve } = this.#layout;
    if ((await this.#disk.sizeOf(reserve)) === RESERVE_BYTES) return;
    const file = await this.#disk.open(reserve, 'w');
    try {
      await writeAll(file, Buffer.alloc(RESERVE_BYTES, 0xa5));
      await file.datasync();
    } finally {
      await file.close();
    }
  }
}

/**
 * A digest of the action that a key stands for: the tool and its input, with object keys in any order. The rest of the
 * tool's definition may change between two attempts without making it another action.
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
