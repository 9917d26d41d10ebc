/** An address in the kernels' memory, in bytes. */
export type Address = number;

type Reduce = (source: Address, row: Address, table: Address, count: number) => void;
type ReduceAny = (
  source: Address,
  row: Address,
  table: Address,
  count: number,
  taps: number,
  pixelBytes: number,
) => void;
type Weigh = (sums: Address, row: Address, weight: number, length: number) => void;
type Round = (samples: Address, sums: Address, length: number) => void;
type Sum = (sums: Address, source: Address, length: number) => void;
type Mean = (
  samples: Address,
  sums: Address,
  count: number,
  width: number,
  channels: number,
  scale: number,
) => void;
type Normal = (
  samples: Address,
  plane: Address,
  count: number,
  channels: number,
  channel: number,
  scale: number,
  mean: number,
  std: number,
) => void;
type Lookup = (
  samples: Address,
  plane: Address,
  count: number,
  channels: number,
  channel: number,
  table: Address,
  bytes: number,
) => void;

/** The exports of assembly/. Their names end with the bits of a sample. */
export interface Kernels {
  readonly memory: WebAssembly.Memory;
  readonly reduce8: ReduceAny;
  readonly reduce16: ReduceAny;
  readonly reduce8of3x2: Reduce;
  readonly reduce8of3x3: Reduce;
  readonly reduce8of3x4: Reduce;
  readonly reduce8of4x2: Reduce;
  readonly reduce8of4x3: Reduce;
  readonly reduce8of4x4: Reduce;
  readonly weigh: Weigh;
  readonly weighMore: Weigh;
  readonly round8: Round;
  readonly round16: Round;
  readonly sum8: Sum;
  readonly sumMore8: Sum;
  readonly sum16: Sum;
  readonly sumMore16: Sum;
  readonly mean8: Mean;
  readonly mean16: Mean;
  readonly quarter8: (
    samples: Address,
    above: Address,
    below: Address,
    count: number,
    channels: number,
    step: number,
    pairs: Address,
  ) => void;
  readonly quarter16: (samples: Address, sums: Address, count: number, channels: number) => void;
  readonly gather16: (
    sums: Address,
    pending: Address,
    source: Address,
    count: number,
    width: number,
    channels: number,
    seen: number,
    area: number,
  ) => void;
  readonly slide8: (source: Address, row: Address, table: Address, count: number, channels: number) => void;
  readonly blend8: (
    samples: Address,
    above: Address,
    below: Address,
    a: number,
    b: number,
    length: number,
  ) => void;
  readonly plain8: (
    samples: Address,
    plane: Address,
    count: number,
    channels: number,
    channel: number,
  ) => void;
  readonly normal8: Normal;
  readonly normal16: Normal;
  readonly lookup8: Lookup;
  readonly lookup16: Lookup;
}

/** Makes a new set of kernels with an empty memory of their own. */
export function instantiateKernels(module: WebAssembly.Module): Kernels {
  return new WebAssembly.Instance(module).exports as unknown as Kernels;
}
