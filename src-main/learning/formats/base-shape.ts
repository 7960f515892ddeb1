import { say } from '../../../src-preload/contract/saying.ts';
import { quoted } from '../../gguf/gguf-error.ts';
import type { GgufHeader } from '../../gguf/header.ts';
import { modelFacts } from '../../gguf/model-facts.ts';
import { unsupportedAdapter } from './adapter-error.ts';
import { ADAPTER_MODULES, type AdapterModule, matrixName } from './lora-adapter.ts';

/** What of a model an adapter has to fit. */
export interface BaseShape {
  /** As its GGUF file names it: `llama`, `qwen3`. */
  architecture: string;
  layers: number;
  heads: number;
  /** Heads that keep keys and values. */
  kvHeads: number;
  /** Inputs and outputs of each matrix that an adapter can change, by {@link matrixName}. */
  sizes: ReadonlyMap<string, { in: number; out: number }>;
}

/** What llama.cpp calls them, in `blk.<layer>.<name>.weight`. */
export const GGUF_NAMES: Readonly<Record<AdapterModule, string>> = {
  q_proj: 'attn_q',
  k_proj: 'attn_k',
  v_proj: 'attn_v',
  o_proj: 'attn_output',
  gate_proj: 'ffn_gate',
  up_proj: 'ffn_up',
  down_proj: 'ffn_down',
};

/** Architectures of which we know how llama.cpp orders the rows, and whether it reorders those of Q and K. */
const REORDERS = new Map([
  ['llama', true],
  ['qwen2', false],
  ['qwen3', false],
  ['gemma3', false],
]);

/**
 * The shape of a model, out of the header of its file.
 * @throws GgufError when it is no sound model; UNSUPPORTED when adapters for its architecture are not known
 */
export function baseShape(header: GgufHeader): BaseShape {
  const { architecture, layers, heads, kvHeads } = modelFacts(header);
  if (!REORDERS.has(architecture)) {
    throw unsupportedAdapter(say('adapters.architecture', { architecture, known: [...REORDERS.keys()] }));
  }
  const tensors = new Map(header.tensors.map(({ name, dimensions }) => [name, dimensions]));
  const sizes = new Map<string, { in: number; out: number }>();
  for (let layer = 0; layer < layers; layer++) {
    for (const module of ADAPTER_MODULES) {
      const [columns, rows] = tensors.get(`blk.${layer}.${GGUF_NAMES[module]}.weight`) ?? [];
      if (columns !== undefined && rows !== undefined) sizes.set(matrixName(layer, module), { in: columns, out: rows });
    }
  }
  if (sizes.size === 0) throw unsupportedAdapter(say('adapters.noMatrices', { architecture: quoted(architecture) }));
  return { architecture, layers, heads, kvHeads, sizes };
}

/** Into how many heads llama.cpp divides the rows of a module to reorder them; undefined where it leaves them as they are. */
export function reorderedHeads(base: BaseShape, module: AdapterModule): number | undefined {
  if (!REORDERS.get(base.architecture)) return undefined;
  if (module === 'q_proj') return base.heads;
  return module === 'k_proj' ? base.kvHeads : undefined;
}
