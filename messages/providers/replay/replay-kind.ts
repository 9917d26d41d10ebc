import path from 'node:path';
import { z } from 'zod';
import { type ProviderKind, providerKind } from '../provider-kind.ts';
import { MATCHES } from './comparable.ts';
import { RecordingFiles } from './recording-files.ts';
import { createReplayProvider } from './replay-provider.ts';

const pattern = z.string().refine((text) => {
  try {
    RegExp(text, 'gu');
    return true;
  } catch {
    return false;
  }
}, 'expected a regular expression');

const schema = z
  .strictObject({
    type: z.literal('replay'),
    /** One recording for all models of the provider. */
    file: z.string().min(1).optional(),
    /** A folder with recordings: the model `replay:<name>` reads `<name>.json` or `<name>.jsonl`. */
    folder: z.string().min(1).optional(),
    match: z.enum(MATCHES).optional(),
    ignore: z.array(pattern).optional(),
  })
  .refine(({ file, folder }) => (file === undefined) !== (folder === undefined), {
    path: ['file'],
    message: 'expected either `file` or `folder`',
  });

/** `type: replay` answers from session recordings. Relative paths start at the providers file. */
export const replayKind: ProviderKind = providerKind({
  type: 'replay',
  schema,
  create({ file, folder, match, ignore = [] }, context) {
    const files = new RecordingFiles();
    const at = path.resolve(context.folder, file ?? folder ?? '');
    return createReplayProvider({
      recordingFor: (model) => (file === undefined ? files.named(at, model) : files.read(at)),
      ignore: ignore.map((text) => new RegExp(text, 'gu')),
      ...(match === undefined ? {} : { match }),
    });
  },
});
