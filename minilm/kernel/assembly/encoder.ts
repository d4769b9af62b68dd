/**
 * The steps of a BERT encoder. Matrix products are exact sums of integers; everything else is f32 in a fixed order of operations, without
 * fused multiply-add and relaxed SIMD, so every engine computes the same bits. The host reserves all memory and rounds rows up to even counts.
 */

/** First byte that the host may use. */
export const freeFrom: usize = __heap_base

export { attend } from './attention'
export { gelu, norm, pool } from './floats'
export { linear, quantise } from './matrices'
export { gather, unpack } from './tables'
