import { MAX_CHANNELS, MAX_CHUNK, MODULE_BYTES, TOLERANCE } from '../kernels/limits.ts';

/** What docs/kernels.md says, in short, for a model that writes one: what has to be computed, how things lie in memory, and what is not allowed. */
export const SPECIFICATION = `
The module computes one chunk of gated linear attention. It exports exactly this function, and nothing else is called:

export function step(q: usize, k: usize, v: usize, g: usize, state: usize, out: usize, tokens: i32, dk: i32, dv: i32): void

All but the three numbers are addresses in the module's own memory, of 32-bit floats, 16 bytes aligned, row by row:
- q, k, g: tokens rows of dk columns. v: tokens rows of dv columns. They are read only.
- state: dk rows of dv columns. It is read and written: it goes on from call to call.
- out: tokens rows of dv columns. All of it is written.
tokens is 1 to ${MAX_CHUNK}; dk and dv are multiples of 4 up to ${MAX_CHANNELS}.

For each token t in order, for each key channel i and value channel j:
  state[i][j] = g[t][i] * state[i][j] + k[t][i] * v[t][j]
and after all of these for that token:
  out[t][j] = (sum over i of q[t][i] * state[i][j]) / sqrt(dk)
Each g is between 0 and 1. Results may differ from exact ones by ${TOLERANCE} of the sum of absolute values; the order of summing is free.

Rules: no imports, no other files, no growing of memory, no writing outside of state and out (and static memory of the module itself). At most ${MODULE_BYTES} bytes compiled.
The compiler is AssemblyScript with -O3, --noAssert, --runtime stub and SIMD: v128, f32x4, v128.load, v128.store, v128.load32_splat, f32x4.add, f32x4.mul. There is no relaxed SIMD.
Speed is measured on full chunks of long sequences with dk = dv = 64. What counts: memory traffic of the state, work per load, loops that stay in registers; several tokens of a chunk may be taken together.
`;
