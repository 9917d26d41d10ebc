import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { ModelNotFoundError } from '../../api/errors.ts';
import { isRecord } from '../../api/is-record.ts';
import { parseRecording, type Recording } from './recording.ts';
import { unusableRecording } from './replay-provider.ts';

/** A model with this prefix is a recording. */
export const REPLAY_PREFIX = 'replay:';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const ENDINGS = ['', '.json', '.jsonl'];

interface Kept {
  readonly stamp: string;
  readonly recording: Recording;
}

/** Reads recordings and keeps them until their files change. */
export class RecordingFiles {
  readonly #kept = new Map<string, Kept>();

  /** @throws {ApiError} when the file is not there, or is no recording. */
  async read(file: string, name = path.basename(file)): Promise<Recording> {
    try {
      const { mtimeMs, size } = await stat(file);
      const stamp = `${mtimeMs}/${size}`;
      const kept = this.#kept.get(file);
      if (kept?.stamp === stamp) return kept.recording;
      const recording = parseRecording(await readFile(file, 'utf8'));
      this.#kept.set(file, { stamp, recording });
      return recording;
    } catch (error) {
      throw unusableRecording(name, reasonOf(error));
    }
  }

  /** Reads the recording of a model `replay:<name>` in a folder, from `<name>.json` or `<name>.jsonl`. */
  async named(folder: string, model: string): Promise<Recording> {
    const name = model.startsWith(REPLAY_PREFIX) ? model.slice(REPLAY_PREFIX.length) : model;
    if (!NAME.test(name))
      throw new ModelNotFoundError(model, 'a recording has a name of letters, digits, . _ and -');
    for (const ending of ENDINGS) {
      const file = path.join(folder, name + ending);
      if (await isFile(file)) return await this.read(file, name);
    }
    throw new ModelNotFoundError(model, 'no recording has this name');
  }
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** Describes an error without the file's path, which the client must not learn. */
function reasonOf(error: unknown): string {
  if (!isRecord(error)) return String(error);
  const { code, message } = error;
  return typeof code === 'string' ? code : String(message);
}
