/**
 * The inner loops of the preprocessor, compiled to WebAssembly with SIMD. They keep no state and allocate nothing: each
 * works on rows at addresses that the caller laid out in the memory (see ../memory.ts).
 *
 * Three habits hold in all of them:
 * - A row's end may be overrun: up to 16 bytes read after a source row, up to 64 written after a row of results. Only
 *   the kernels of planes.ts write exactly as much as asked for.
 * - A pixel of up to four channels is one vector. With fewer channels the spare lanes hold the neighbour's samples;
 *   what they store is overwritten when the neighbour is stored.
 * - Sums of float32 are made in the order of the pixels, each product rounded: no fused multiply-add, no relaxed SIMD.
 */
export {
  reduce8,
  reduce8of3x2,
  reduce8of3x3,
  reduce8of3x4,
  reduce8of4x2,
  reduce8of4x3,
  reduce8of4x4,
  reduce16,
} from './reduce';
export { weigh, weighMore, round8, round16 } from './weigh';
export { sum8, sumMore8, sum16, sumMore16, mean8, mean16, quarter8, quarter16, gather16 } from './block';
export { slide8, blend8 } from './slide';
export { plain8, normal8, normal16, lookup8, lookup16 } from './planes';
