import { say } from '../../../../src-preload/contract/saying.ts';
import { invalidAdapter } from '../../formats/adapter-error.ts';
import type { LoraAdapter, LoraMatrices } from '../../formats/lora-adapter.ts';
import { type NamedTensor, readSafetensors, type TensorEntry, writeSafetensors } from '../../formats/safetensors.ts';
import type { AdamWState } from './adam-w.ts';
import { isReachable } from './reachable-state.ts';

const STEPS = 'steps';
const MOST_STEPS = 1e9;
const PARTS = ['a', 'b'] as const;
const KINDS = ['means', 'squares'] as const;

/** Writes what AdamW has seen: `<layer>.<module>.<a or b>.<means or squares>`, and how many steps there were. @param path not there yet */
export async function writeOptimizer(path: string, state: AdamWState): Promise<void> {
  const tensors = entries(state).map(({ name, kind, part, matrices }): NamedTensor => {
    const values = matrices[part];
    return { name: `${name}.${part}.${kind}`, shape: shapeOf(matrices, part), values };
  });
  await writeSafetensors(path, tensors, { [STEPS]: String(state.steps) });
}

/**
 * Reads it again.
 * @throws ADAPTER_INVALID where it does not belong to the adapter, or is damaged
 */
export async function readOptimizer(path: string, adapter: LoraAdapter): Promise<AdamWState> {
  const shapes = new Map<string, string>();
  for (const [name, matrices] of adapter.matrices) {
    for (const part of PARTS) {
      for (const kind of KINDS) shapes.set(`${name}.${part}.${kind}`, String(shapeOf(matrices, part)));
    }
  }
  const check = (found: readonly TensorEntry[]) => {
    const fits = found.length === shapes.size && found.every((each) => shapes.get(each.name) === String(each.shape));
    if (!fits) throw otherState();
  };
  const { tensors, metadata } = await readSafetensors(path, check);
  // As they were read: of a large adapter they are gigabytes, and no second copy is made.
  const valuesOf = (name: string) => tensors.get(name)?.values ?? new Float32Array();
  const read = (kind: (typeof KINDS)[number]): LoraAdapter => ({
    ...adapter,
    matrices: new Map(
      [...adapter.matrices].map(([name, { in: columns, out: rows }]) => [
        name,
        { a: valuesOf(`${name}.a.${kind}`), b: valuesOf(`${name}.b.${kind}`), in: columns, out: rows },
      ]),
    ),
  });
  const state: AdamWState = { steps: Number(metadata[STEPS]), means: read('means'), squares: read('squares') };
  if (!Number.isInteger(state.steps) || state.steps < 0 || state.steps > MOST_STEPS) throw otherState();
  if (!(await isReachable(state))) throw otherState();
  return state;
}

function entries(state: AdamWState) {
  return [...state.means.matrices.keys()].flatMap((name) =>
    PARTS.flatMap((part) =>
      KINDS.map((kind) => ({ name, part, kind, matrices: state[kind].matrices.get(name) as LoraMatrices })),
    ),
  );
}

function shapeOf({ a, b, in: columns, out: rows }: LoraMatrices, part: 'a' | 'b'): [number, number] {
  return part === 'a' ? [a.length / columns, columns] : [rows, b.length / rows];
}

const otherState = () => invalidAdapter(say('training.otherOptimizer'));
