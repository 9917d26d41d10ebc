import { InferenceError } from '../common/errors.ts';
import { type Address, instantiateKernels, type Kernels } from './kernels.ts';

const PAGE_BYTES = 65_536;
/** Free bytes after each buffer, since some kernels write past their rows; a multiple of the alignment. */
const GAP_BYTES = 64;

/** What one call works with: the kernels, where each buffer begins, and the memory as it is now. */
export interface Allocation {
  readonly kernels: Kernels;
  readonly addresses: readonly Address[];
  readonly bytes: Uint8Array;
}

/**
 * The memory that the kernels work in, which calls use one after another. It grows to what calls need, up to
 * `keptBytes`; a call that needs more gets a memory of its own, which is freed with its result.
 */
export class Workspace {
  readonly #module: WebAssembly.Module;
  readonly #keptBytes: number;
  readonly #kept: Kernels;

  constructor(module: WebAssembly.Module, keptBytes: number) {
    this.#module = module;
    this.#keptBytes = keptBytes;
    this.#kept = instantiateKernels(module);
  }

  /** Places buffers of these sizes. @throws {InferenceError} image_too_large where there is not enough memory */
  allocate(sizes: readonly number[]): Allocation {
    let end = GAP_BYTES;
    const addresses = sizes.map((size) => {
      const address = end;
      end += Math.ceil(size / GAP_BYTES) * GAP_BYTES + GAP_BYTES;
      return address;
    });
    const kernels = end <= this.#keptBytes ? this.#kept : instantiateKernels(this.#module);
    const { memory } = kernels;
    const missing = Math.ceil((end - memory.buffer.byteLength) / PAGE_BYTES);
    if (missing > 0) {
      try {
        memory.grow(missing);
      } catch (error) {
        const message = `resizing needs ${end} bytes of memory, more than there are`;
        throw new InferenceError('image_too_large', message, { field: 'file', cause: error });
      }
    }
    return { kernels, addresses, bytes: new Uint8Array(memory.buffer) };
  }
}
