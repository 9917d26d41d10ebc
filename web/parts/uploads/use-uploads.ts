import { useRef, useState } from 'react';
import { useStore } from '../../client/store.ts';
import { type SendFile, type Upload, UploadQueue } from './upload-queue.ts';

interface Uploads {
  readonly uploads: readonly Upload[];
  readonly queue: UploadQueue;
}

/** Files that this page sends. @param onDone called after each file that has arrived */
export function useUploads(send: SendFile, onDone: () => void): Uploads {
  const newest = useRef({ send, onDone });
  newest.current = { send, onDone };
  const [queue] = useState(
    () =>
      new UploadQueue(
        (...given) => newest.current.send(...given),
        () => newest.current.onDone(),
      ),
  );
  return { uploads: useStore(queue.uploads), queue };
}
