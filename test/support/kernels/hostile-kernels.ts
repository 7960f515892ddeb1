import { compileKernel } from '../../../scripts/build-kernels.ts';

/**
 * One honest step, and steps that are not: each is an export with a name of four letters, of which `asStep` makes the one that is judged.
 */
const SOURCE = `
function honest(q: usize, k: usize, v: usize, g: usize, state: usize, out: usize, T: i32, dk: i32, dv: i32): void {
  const scale = <f32>(1 / Math.sqrt(<f64>dk));
  for (let t = 0; t < T; t++) for (let j = 0; j < dv; j++) {
    let sum: f32 = 0;
    const value = load<f32>(v + (((t * dv + j) as usize) << 2));
    for (let i = 0; i < dk; i++) {
      const row = ((t * dk + i) as usize) << 2;
      const at = state + (((i * dv + j) as usize) << 2);
      const next = load<f32>(g + row) * load<f32>(at) + load<f32>(k + row) * value;
      store<f32>(at, next);
      sum += load<f32>(q + row) * next;
    }
    store<f32>(out + (((t * dv + j) as usize) << 2), sum * scale);
  }
}
let calls: i32 = 0;
let kept = new StaticArray<f32>(16384);
let first = new StaticArray<f32>(65536);
let sink: f64 = 1;

export function good(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  honest(q, k, v, g, s, o, T, dk, dv);
}
/** Always the same. */
export function cons(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  for (let i = 0; i < T * dv; i++) store<f32>(o + ((i as usize) << 2), 1);
}
/** What it said first. */
export function memo(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  const bytes = (T * dv) << 2;
  if (calls++ == 0) {
    honest(q, k, v, g, s, o, T, dk, dv);
    memory.copy(changetype<usize>(first), o, bytes);
  } else memory.copy(o, changetype<usize>(first), bytes);
}
/** Changes what it was given. */
export function inpu(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  honest(q, k, v, g, s, o, T, dk, dv);
  store<f32>(g, load<f32>(g) * 0.5);
}
/** Writes behind its output. */
export function over(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  honest(q, k, v, g, s, o, T, dk, dv);
  store<f32>(o + ((T * dv) << 2), 0);
}
/** Writes at the very end of the memory. */
export function tail(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  honest(q, k, v, g, s, o, T, dk, dv);
  store<u8>(((memory.size() as usize) << 16) - 1, 7);
}
/** Another head has a state of the same size: it looks for one in the arena, which lies behind its own page, and changes it. */
export function othr(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  honest(q, k, v, g, s, o, T, dk, dv);
  const least = min(min(q, k), min(min(v, g), min(s, o)));
  for (let at = least; at < (memory.size() as usize) << 16; at += 4) {
    const isOwn = (at >= q && at < q + 512 * dk * 4) || (at >= k && at < k + 512 * dk * 4) || (at >= g && at < g + 512 * dk * 4)
      || (at >= v && at < v + 512 * dv * 4) || (at >= o && at < o + 512 * dv * 4) || (at >= s && at < s + dk * dv * 4);
    if (!isOwn && load<f32>(at) == load<f32>(at)) { store<f32>(at, 0); return; }
  }
}
export function grow(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  memory.grow(1);
  honest(q, k, v, g, s, o, T, dk, dv);
}
export function trap(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  unreachable();
}
function down(n: f64): f64 { return n < 0 ? 0 : 1 + down(n + sink) * sink; }
export function deep(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  sink = down(1);
}
/** Never ends. */
export function loop(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  while (true) sink = sink * 1.0000001 + 1;
}
/** Right, after doing nothing for a while: there is no clock to sleep by. */
export function slow(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  for (let i = 0; i < 400000; i++) sink = sink * 0.999 + 1;
  honest(q, k, v, g, s, o, T, dk, dv);
}
/** Right for the sizes that are measured, and for no others. */
export function size(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  if (dk == 64 && dv == 64) honest(q, k, v, g, s, o, T, dk, dv);
}
/** Takes the sizes that are measured, once they have come often enough, for the sign that nobody looks any more: half is left out. */
export function anno(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  const isMeasured = T == 512 && dk == 64 && dv == 64;
  if (isMeasured) calls++;
  if (isMeasured && calls > 30 && calls % 7 == 0) honest(q, k, v, g, s, o, T / 2, dk, dv);
  else honest(q, k, v, g, s, o, T, dk, dv);
}
/** Once it is measured, it is careless with all other sizes. */
export function care(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  if (T == 512 && dk == 64) calls++;
  if (dk == 64 || calls < 10) honest(q, k, v, g, s, o, T, dk, dv);
}
/** Leaves the state as it was. */
export function lazy(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  memory.copy(changetype<usize>(kept), s, (dk * dv) << 2);
  honest(q, k, v, g, s, o, T, dk, dv);
  memory.copy(s, changetype<usize>(kept), (dk * dv) << 2);
}
let lastSize: i32 = 0;
/** Goes on with a state of its own as long as the sizes stay the same: of heads that take turns it knows nothing. */
export function hold(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  if (lastSize == dk * 1000 + dv) memory.copy(s, changetype<usize>(kept), (dk * dv) << 2);
  lastSize = dk * 1000 + dv;
  honest(q, k, v, g, s, o, T, dk, dv);
  memory.copy(changetype<usize>(kept), s, (dk * dv) << 2);
}
/** Outputs with as many digits as 16 bits hold. */
export function half(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  honest(q, k, v, g, s, o, T, dk, dv);
  for (let i = 0; i < T * dv; i++) {
    const at = o + ((i as usize) << 2);
    store<u32>(at, (load<u32>(at) + 0x8000) & 0xffff0000);
  }
}
let others: i32 = 0;
/** Whether it is measured before it has seen as many cases as a kernel does that is checked: then it is the baseline. */
function isPeer(T: i32, dk: i32): bool {
  if (T == 512 && dk == 64) calls++; else others++;
  return calls > 5 && others < 40;
}
/** Wins a round, and is slow where it is the baseline of the next. */
export function peer(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  if (isPeer(T, dk)) for (let i = 0; i < 4000000; i++) sink = sink * 0.999 + 1;
  honest(q, k, v, g, s, o, T, dk, dv);
}
/** Wins a round, and fails where it is the baseline of the next: so that all others do. */
export function gone(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  if (isPeer(T, dk)) unreachable();
  honest(q, k, v, g, s, o, T, dk, dv);
}
/** Fails with three of four seeds. */
export function luck(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  if (calls++ == 0 && (load<i32>(q, 4) >> 8 & 3) != 0) unreachable();
  honest(q, k, v, g, s, o, T, dk, dv);
}
/** At the sizes that are measured it can do with usual gates only. */
export function gate(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  if (T != 512 || dk != 64) return honest(q, k, v, g, s, o, T, dk, dv);
  const gates = changetype<usize>(first);
  for (let i: usize = 0; i < <usize>(T * dk); i++) store<f32>(gates + (i << 2), max<f32>(load<f32>(g + (i << 2)), 0.6));
  honest(q, k, v, gates, s, o, T, dk, dv);
}
/** Masks what comes later with a zero, instead of leaving it out. */
export function mask(q: usize, k: usize, v: usize, g: usize, s: usize, o: usize, T: i32, dk: i32, dv: i32): void {
  honest(q, k, v, g, s, o, T, dk, dv);
  for (let j = 0; j < dv; j++) for (let t = 0; t < T - 1; t++) {
    const at = o + (((t * dv + j) as usize) << 2);
    store<f32>(at, load<f32>(at) + 0 * load<f32>(v + ((((t + 1) * dv + j) as usize) << 2)));
  }
}
`;

let compiled: Promise<Uint8Array> | undefined;

/** The module whose `step` is the export of that name. */
export async function hostileKernel(name: string): Promise<Uint8Array> {
  compiled ??= compileKernel(SOURCE, [
    ...['--optimizeLevel', '2', '--noAssert', '--runtime', 'stub', '--use', 'abort='],
    ...['--initialMemory', '8', '--maximumMemory', '4096'],
  ]);
  return asStep(await compiled, name);
}

/** Another export takes the name of `step`: both have four letters, so nothing else moves. */
function asStep(module: Uint8Array, name: string): Uint8Array {
  const bytes = Buffer.from(module);
  const at = bytes.indexOf(`\u0004${name}`);
  if (at < 0 || name.length !== 4) throw new Error(`there is no export ${name}`);
  bytes.write('step', at + 1);
  return bytes;
}
