/**
 * The kernel that others are compared with, in AssemblyScript: one chunk of gated linear attention as docs/kernels.md defines it, token by token.
 * Sixteen value channels at a time, so that their part of the state stays in the fastest cache; the rest four at a time.
 */
export function step(
  q: usize,
  k: usize,
  v: usize,
  g: usize,
  state: usize,
  out: usize,
  tokens: i32,
  dk: i32,
  dv: i32,
): void {
  const scale = f32x4.splat(1 / sqrt(<f32>dk));
  let column = 0;
  for (; column + 16 <= dv; column += 16) sixteen(q, k, v, g, state, out, tokens, dk, dv, column, scale);
  for (; column < dv; column += 4) four(q, k, v, g, state, out, tokens, dk, dv, column, scale);
}

// prettier-ignore
function sixteen(
  q: usize,
  k: usize,
  v: usize,
  g: usize,
  state: usize,
  out: usize,
  tokens: i32,
  dk: i32,
  dv: i32,
  column: i32,
  scale: v128,
): void {
  const row = (<usize>dv) << 2;
  for (let token = 0; token < tokens; token++) {
    const keys = (<usize>(token * dk)) << 2;
    const values = (<usize>(token * dv + column)) << 2;
    const v0 = v128.load(v + values);
    const v1 = v128.load(v + values, 16);
    const v2 = v128.load(v + values, 32);
    const v3 = v128.load(v + values, 48);
    let o0 = f32x4.splat(0);
    let o1 = o0;
    let o2 = o0;
    let o3 = o0;
    let at = state + ((<usize>column) << 2);
    for (let channel: usize = 0, end = (<usize>dk) << 2; channel < end; channel += 4) {
      const gate = v128.load32_splat(g + keys + channel);
      const key = v128.load32_splat(k + keys + channel);
      const query = v128.load32_splat(q + keys + channel);
      const s0 = f32x4.add(f32x4.mul(gate, v128.load(at)), f32x4.mul(key, v0));
      const s1 = f32x4.add(f32x4.mul(gate, v128.load(at, 16)), f32x4.mul(key, v1));
      const s2 = f32x4.add(f32x4.mul(gate, v128.load(at, 32)), f32x4.mul(key, v2));
      const s3 = f32x4.add(f32x4.mul(gate, v128.load(at, 48)), f32x4.mul(key, v3));
      v128.store(at, s0);
      v128.store(at, s1, 16);
      v128.store(at, s2, 32);
      v128.store(at, s3, 48);
      o0 = f32x4.add(o0, f32x4.mul(query, s0));
      o1 = f32x4.add(o1, f32x4.mul(query, s1));
      o2 = f32x4.add(o2, f32x4.mul(query, s2));
      o3 = f32x4.add(o3, f32x4.mul(query, s3));
      at += row;
    }
    v128.store(out + values, f32x4.mul(o0, scale));
    v128.store(out + values, f32x4.mul(o1, scale), 16);
    v128.store(out + values, f32x4.mul(o2, scale), 32);
    v128.store(out + values, f32x4.mul(o3, scale), 48);
  }
}

// prettier-ignore
function four(
  q: usize,
  k: usize,
  v: usize,
  g: usize,
  state: usize,
  out: usize,
  tokens: i32,
  dk: i32,
  dv: i32,
  column: i32,
  scale: v128,
): void {
  for (let token = 0; token < tokens; token++) {
    const keys = (<usize>(token * dk)) << 2;
    const values = (<usize>(token * dv + column)) << 2;
    const value = v128.load(v + values);
    let sum = f32x4.splat(0);
    for (let channel = 0; channel < dk; channel++) {
      const from = keys + ((<usize>channel) << 2);
      const at = state + ((<usize>(channel * dv + column)) << 2);
      const kept = f32x4.mul(v128.load32_splat(g + from), v128.load(at));
      const next = f32x4.add(kept, f32x4.mul(v128.load32_splat(k + from), value));
      v128.store(at, next);
      sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(q + from), next));
    }
    v128.store(out + values, f32x4.mul(sum, scale));
  }
}
