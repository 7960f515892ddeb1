import type { SeededRandom } from '../../../validation/seeded-random.ts';
import type { Input } from './arena.ts';
import { fill, signed, unit, usualGate } from './draws.ts';
import { MAX_CHANNELS, MAX_CHUNK, MEASURED_CHANNELS } from './limits.ts';

/** How one input is drawn, number by number. */
type Draw = (random: SeededRandom) => number;
type Draws = Record<Input, Draw>;

/** A kind of input that some way to compute fails at. */
interface CaseKind {
  name: string;
  draws?: Partial<Draws>;
  /** How the state that it begins with is drawn. Default: all zeros. */
  state?: Draw;
  /** Two heads take turns, each with a state of its own. */
  heads?: 2;
  /** Tokens of every chunk. Default: drawn. */
  tokens?: number;
  /** Both channels. Default: drawn. */
  channels?: number;
  /** Chunks, each with tokens of its own. Default 3. */
  chunks?: number;
  /** Changes the input when all is drawn. */
  spoil?: (inputs: Record<Input, Float32Array>, dv: number, random: SeededRandom) => void;
}

/** A series of calls with all that is drawn for it but the input. */
export interface KernelCase {
  kind: CaseKind;
  dk: number;
  dv: number;
  heads: 1 | 2;
  /** Tokens of each chunk, in their order. */
  chunks: number[];
}

const rarely = (share: number, one: Draw, other: Draw): Draw => {
  return (random) => (unit(random) < share ? one(random) : other(random));
};
const always = (number: number): Draw => {
  return () => number;
};
/** Powers of ten from and to, with a sign. */
const magnitudes = (from: number, to: number): Draw => {
  return (random) => signed(random) * 10 ** random.between(from, to);
};

/** In the order in which they are tried. Where a kernel can be wrong and right at once, the sums of float32 decide: nothing here overflows. */
const KINDS: readonly CaseKind[] = [
  { name: 'usual' },
  { name: 'as measured', tokens: MAX_CHUNK, channels: MEASURED_CHANNELS, chunks: 2, state: signed },
  { name: 'one token', tokens: 1, chunks: 9, state: signed },
  { name: 'begun state', state: signed },
  { name: 'two heads', heads: 2, chunks: 4, state: signed },
  { name: 'all is kept', draws: { g: always(1) }, state: signed },
  { name: 'nothing is kept', draws: { g: always(0) }, state: signed },
  { name: 'some is forgotten at once', draws: { g: rarely(0.05, always(0), usualGate) }, state: signed },
  // Products of gates are far below what a float holds: dividing by them does not do.
  { name: 'all but forgotten', draws: { g: rarely(0.5, always(1e-30), unit) }, state: signed },
  { name: 'kept or not', draws: { g: rarely(0.5, always(0), always(1)) }, state: signed },
  { name: 'large', draws: { v: magnitudes(-15, 15), k: magnitudes(-3, 3) } },
  { name: 'small', draws: { v: magnitudes(-40, -30) }, state: magnitudes(-40, -30) },
  { name: 'zeros', draws: { q: rarely(0.5, always(0), signed), k: rarely(0.5, always(-0), signed), v: always(0) } },
  {
    name: 'negative',
    draws: { q: (random) => -unit(random), k: (random) => -unit(random), v: (random) => -unit(random) },
  },
  { name: 'not a number', state: signed, spoil: (inputs, dv, random) => poison(inputs, dv, Number.NaN, random) },
  {
    name: 'infinite',
    state: signed,
    spoil: (inputs, dv, random) => poison(inputs, dv, Number.NEGATIVE_INFINITY, random),
  },
  { name: 'largest', tokens: MAX_CHUNK, channels: MAX_CHANNELS, chunks: 1, state: signed },
  { name: 'long', chunks: 8, state: signed },
];

/** Token and value channels together, of a chunk: what a reference takes for it is bounded so. */
const MOST_STEPS = 2_000_000;
const CHANNEL_STEP = 4;

/** The same inputs at the sizes that are measured: who is careful with all others only would be found by nothing else. */
const AS_MEASURED = { tokens: MAX_CHUNK, channels: MEASURED_CHANNELS };
const MEASURED_KINDS = KINDS.filter(({ tokens }) => tokens === undefined).map((kind) => ({
  ...{ ...kind, ...AS_MEASURED, chunks: kind.heads ?? 1 },
}));

/** Every kind once, with its sizes; then all that have none of their own at those that are measured. */
export function drawCases(random: SeededRandom): KernelCase[] {
  return [...KINDS, ...MEASURED_KINDS].map((kind) => drawCase(kind, random));
}

/** A case of a kind that is drawn too, every second time of the sizes that are measured. */
export function drawSurprise(random: SeededRandom): KernelCase {
  return drawCase(random.pick(random.coin() ? KINDS : MEASURED_KINDS), random);
}

function drawCase(kind: CaseKind, random: SeededRandom): KernelCase {
  const { heads = 1, chunks = 3, channels, tokens } = kind;
  const dk = channels ?? drawChannels(random);
  const dv = channels ?? drawChannels(random);
  const most = Math.min(MAX_CHUNK, Math.floor(MOST_STEPS / (dk * dv)));
  return { kind, dk, dv, heads, chunks: Array.from({ length: chunks }, () => tokens ?? random.between(1, most)) };
}

const drawChannels = (random: SeededRandom) => CHANNEL_STEP * random.between(1, MAX_CHANNELS / CHANNEL_STEP);

/** Draws what a chunk is given. */
export function drawInputs({ kind, dv }: KernelCase, inputs: Record<Input, Float32Array>, random: SeededRandom): void {
  const draws: Draws = { q: signed, k: signed, v: signed, g: usualGate, ...kind.draws };
  for (const name of ['q', 'k', 'v', 'g'] as const) fill(inputs[name], () => draws[name](random));
  kind.spoil?.(inputs, dv, random);
}

/** Draws the state that a head begins with. */
export function drawState({ kind }: KernelCase, state: Float32Array, random: SeededRandom): void {
  const draw = kind.state ?? always(0);
  fill(state, () => draw(random));
}

/** One value of the last rows: what stands before it, and in other value channels, must not know of it. */
function poison({ v }: Record<Input, Float32Array>, dv: number, what: number, random: SeededRandom): void {
  const tokens = v.length / dv;
  const row = random.between(Math.floor(tokens / 2), tokens - 1);
  v[row * dv + random.below(dv)] = what;
}
