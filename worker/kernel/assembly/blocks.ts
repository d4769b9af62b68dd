/** Blocks of rows: [int8 codes of all rows][owners u32][scales f32][errors i32]. */

/** Rows of one block. The host reads this constant from the module. */
export const blockRows: i32 = 4096
export const blockShift: i32 = 12

/** Copies `count` encoded vectors ([scale f32][residual f32][int8 × dimensions]) into the slots of a block, whose rows have `stride` bytes. */
export function unpack(source: usize, count: i32, dimensions: i32, block: usize, slot: i32, stride: usize): void {
  let codes = block + <usize>slot * stride
  let head = block + <usize>blockRows * stride + ((<usize>slot) << 2)
  for (let i: i32 = 0; i < count; i++) {
    store<u32>(head + ((<usize>blockRows) << 2), load<u32>(source))
    store<i32>(head + ((<usize>blockRows) << 3), <i32>ceil<f64>(<f64>load<f32>(source, 4) * 1073741824.0))
    memory.copy(codes, source + 8, dimensions)
    source += 8 + <usize>dimensions
    codes += stride
    head += 4
  }
}
