/**
 * Rows of Q and K: Hugging Face keeps the first half of each head before the second, llama.cpp's `llama` architecture has the two halves interleaved, for its way of
 * turning them (RoPE). See `LlamaModel.permute` of llama.cpp's convert_hf_to_gguf.py: `reshape(heads, 2, size / 2, …).swapaxes(1, 2)`.
 */

/**
 * Which row of PEFT's order stands at a row of llama.cpp's.
 * @param row of all heads together
 * @param rows of all heads together
 * @param heads into which they are divided; undefined: the order is the same
 */
export function peftRow(row: number, rows: number, heads: number | undefined): number {
  if (heads === undefined) return row;
  const size = rows / heads;
  const inHead = row % size;
  return row - inHead + (inHead % 2) * (size / 2) + Math.floor(inHead / 2);
}

/** Whether rows can be divided so. */
export function isDivisible(rows: number, heads: number | undefined): boolean {
  return heads === undefined || (heads > 0 && rows % (2 * heads) === 0);
}

/** Rows as PEFT orders them, out of llama.cpp's order. @param width values in a row */
export function inPeftOrder(values: Float32Array, width: number, heads: number | undefined): Float32Array {
  if (heads === undefined) return values;
  const rows = values.length / width;
  const ordered = new Float32Array(values.length);
  for (let row = 0; row < rows; row++) {
    ordered.set(values.subarray(row * width, (row + 1) * width), peftRow(row, rows, heads) * width);
  }
  return ordered;
}
