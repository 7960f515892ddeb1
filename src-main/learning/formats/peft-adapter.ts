import { join } from 'node:path';
import { say } from '../../../src-preload/contract/saying.ts';
import { writeNew } from '../../base/atomic-file.ts';
import { openRegular } from '../../base/regular-file.ts';
import { ifMissing } from '../../base/swallowed.ts';
import { quoted } from '../../gguf/gguf-error.ts';
import { invalidAdapter, unsupportedAdapter } from './adapter-error.ts';
import { PEFT_CONFIG, PEFT_TENSORS } from './adapter-files.ts';
import type { BaseShape } from './base-shape.ts';
import { assembled, checkTensors, type FoundTensor, partName } from './check-adapter.ts';
import {
  ADAPTER_MODULES,
  type AdapterModule,
  inOrder,
  type LoraAdapter,
  layersOf,
  matrixName,
  matrixPlace,
} from './lora-adapter.ts';
import { MOST_CONFIG_BYTES, peftConfigText, readPeftConfig } from './peft-config.ts';
import { type NamedTensor, readSafetensors, type TensorEntry, writeSafetensors } from './safetensors.ts';

/** The two files of a PEFT adapter, in one folder. */

const PLACES: Readonly<Record<AdapterModule, string>> = {
  q_proj: 'self_attn',
  k_proj: 'self_attn',
  v_proj: 'self_attn',
  o_proj: 'self_attn',
  gate_proj: 'mlp',
  up_proj: 'mlp',
  down_proj: 'mlp',
};

/**
 * Writes an adapter as PEFT loads it.
 * @param folder is there, without these two files
 * @param model what the base is called: `base_model_name_or_path`
 */
export async function writePeft(folder: string, adapter: LoraAdapter, model: string): Promise<void> {
  const tensors = [...inOrder(adapter.matrices)].flatMap(([name, { a, b, in: columns, out: rows }]): NamedTensor[] => [
    { name: tensorName(name, 'A'), shape: [adapter.rank, columns], values: a },
    { name: tensorName(name, 'B'), shape: [rows, adapter.rank], values: b },
  ]);
  await writeSafetensors(join(folder, PEFT_TENSORS), tensors);
  await writeNew(join(folder, PEFT_CONFIG), peftConfigText(adapter, model));
}

function tensorName(matrix: string, part: 'A' | 'B'): string {
  const { layer, module } = matrixPlace(matrix);
  return `base_model.model.model.layers.${layer}.${PLACES[module]}.${module}.lora_${part}.weight`;
}

/**
 * Reads an untrusted PEFT adapter: LoRA in F32, F16 or BF16.
 * @param base the model that it has to fit. Default: whichever it is of, which leaves its architecture unknown
 * @throws ADAPTER_INVALID when a file is missing, damaged, or of another model; UNSUPPORTED for what Quarry cannot do
 */
export async function readPeft(folder: string, base?: BaseShape): Promise<LoraAdapter> {
  const config = readPeftConfig(await configBytes(join(folder, PEFT_CONFIG)));
  let shape = base;
  const check = (entries: readonly TensorEntry[]) => {
    const all = entries.map(found);
    shape ??= ownShape(all);
    const rank = checkTensors(all, shape);
    if (rank !== config.rank) throw invalidAdapter(say('adapters.otherRank', { rank, said: config.rank }));
  };
  const { tensors } = await readSafetensors(join(folder, PEFT_TENSORS), check).catch(missing);
  const parts = new Map<string, Float32Array>();
  for (const [name, { values }] of tensors) parts.set(partAt(name), values);
  return assembled(parts, config, shape ?? ownShape([]));
}

/** What the configuration in a folder says. @throws ADAPTER_INVALID, UNSUPPORTED as {@link readPeft} */
export async function peftRank(folder: string): Promise<number> {
  return readPeftConfig(await configBytes(join(folder, PEFT_CONFIG))).rank;
}

/** The shape of the model that tensors are of, as far as they show it. */
function ownShape(all: readonly FoundTensor[]): BaseShape {
  const sizes = new Map<string, { in: number; out: number }>();
  for (const { layer, module, part, rows, columns } of all) {
    const size = sizes.get(matrixName(layer, module)) ?? { in: 0, out: 0 };
    sizes.set(matrixName(layer, module), part === 'a' ? { ...size, in: columns } : { ...size, out: rows });
  }
  const layers = 1 + Math.max(-1, ...layersOf(sizes.keys()));
  return { architecture: '', layers, heads: 0, kvHeads: 0, sizes };
}

async function configBytes(path: string): Promise<Uint8Array> {
  const file = await openRegular(path).catch(missing);
  if (!file) throw invalidAdapter(say('adapters.noConfig'));
  try {
    const bytes = Buffer.alloc(MOST_CONFIG_BYTES + 1);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function missing(error: unknown): never {
  ifMissing(error);
  throw invalidAdapter(say('adapters.filesMissing', { config: PEFT_CONFIG, tensors: PEFT_TENSORS }));
}

const NAME = /^base_model\.model\.model\.layers\.(0|[1-9]\d{0,3})\.(self_attn|mlp)\.([a-z_]+)\.lora_([AB])\.weight$/;

function placeOf(name: string): Pick<FoundTensor, 'layer' | 'module' | 'part'> {
  const [, layer, place, word, part] = NAME.exec(name) ?? [];
  const module = ADAPTER_MODULES.find((each) => each === word);
  if (!module || PLACES[module] !== place)
    throw unsupportedAdapter(say('adapters.otherTensor', { name: quoted(name) }));
  return { layer: Number(layer), module, part: part === 'A' ? 'a' : 'b' };
}

function found({ name, shape }: TensorEntry): FoundTensor {
  const [rows, columns, ...more] = shape;
  if (rows === undefined || columns === undefined || more.length > 0) {
    throw invalidAdapter(say('adapters.tensorSize', { name: quoted(name) }));
  }
  return { ...placeOf(name), rows, columns };
}

function partAt(name: string): string {
  const { layer, module, part } = placeOf(name);
  return partName(layer, module, part);
}
