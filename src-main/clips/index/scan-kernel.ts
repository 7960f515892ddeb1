/**
 * The one loop that takes the time: dot products of many rows with one query, sixteen numbers at a time. In AssemblyScript, as it was compiled into {@link WASM};
 * a test compiles it anew and compares. Plain JavaScript takes five times as long (docs/decisions/0042-clips.md).
 * @param dimensions numbers of a row, a multiple of 16
 */
export const SOURCE = `
export function scan(rows: usize, count: i32, dimensions: i32, query: usize, scores: usize): void {
  for (let row = 0; row < count; row++) {
    let a = f32x4.splat(0), b = f32x4.splat(0), c = f32x4.splat(0), d = f32x4.splat(0);
    let at = query;
    for (let end = rows + (<usize>dimensions << 2); rows < end; rows += 64, at += 64) {
      a = f32x4.add(a, f32x4.mul(v128.load(rows), v128.load(at)));
      b = f32x4.add(b, f32x4.mul(v128.load(rows, 16), v128.load(at, 16)));
      c = f32x4.add(c, f32x4.mul(v128.load(rows, 32), v128.load(at, 32)));
      d = f32x4.add(d, f32x4.mul(v128.load(rows, 48), v128.load(at, 48)));
    }
    a = f32x4.add(f32x4.add(a, b), f32x4.add(c, d));
    const sum = f32x4.extract_lane(a, 0) + f32x4.extract_lane(a, 1) + f32x4.extract_lane(a, 2) + f32x4.extract_lane(a, 3);
    store<f32>(scores + (<usize>row << 2), sum);
  }
}
`;

/** How it is compiled: the memory is ours. */
export const FLAGS = [
  ...['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd'],
  ...['--importMemory', '--initialMemory', '1', '--maximumMemory', '65536'],
];

export const WASM =
  'AGFzbQEAAAABCQFgBX9/f39/AAISAQNlbnYGbWVtb3J5AgEBgIAEAwIBAAcRAgRzY2FuAAAGbWVtb3J5AgAKoQIBngICA38EewNAIAEgBkoEQP0MAAAAAAAAAAAAAAAAAAAAACEI/QwAAAAAAAAAAAAAAAAAAAAAIQn9DAAAAAAAAAAAAAAAAAAAAAAhCv0MAAAAAAAAAAAAAAAAAAAAACELIAMhBSAAIAJBAnRqIQcDQCAAIAdJBEAgCCAA/QAEACAF/QAEAP3mAf3kASEIIAkgAP0ABBAgBf0ABBD95gH95AEhCSAKIAD9AAQgIAX9AAQg/eYB/eQBIQogCyAA/QAEMCAF/QAEMP3mAf3kASELIABBQGshACAFQUBrIQUMAQsLIAQgBkECdGogCCAJ/eQBIAogC/3kAf3kASII/R8AIAj9HwGSIAj9HwKSIAj9HwOSOAIAIAZBAWohBgwBCwsL';

/** Rows begin at multiples of so many numbers. */
export const LANES = 16;

/** All five as in {@link SOURCE}; places are bytes of the memory. */
export type Scan = (rows: number, count: number, dimensions: number, query: number, scores: number) => void;

/** The loop over a memory, which may grow. */
export function scanOver(memory: WebAssembly.Memory): Scan {
  const module = new WebAssembly.Module(Buffer.from(WASM, 'base64'));
  return new WebAssembly.Instance(module, { env: { memory } }).exports.scan as Scan;
}
