import { z } from 'zod';
import { say } from '../../../src-preload/contract/saying.ts';
import { jsonExcess } from '../../base/json-shape.ts';
import { parsedJson } from '../../base/json-text.ts';
import { MOST_RANK } from '../../gguf/adapter-facts.ts';
import { invalidAdapter, unsupportedAdapter } from './adapter-error.ts';
import { checkedAlpha } from './check-adapter.ts';
import { type LoraAdapter, layersOf } from './lora-adapter.ts';

/** What of `adapter_config.json` decides what the matrices mean. */
export interface PeftConfig {
  rank: number;
  alpha: number;
}

const configSchema = z.looseObject({
  peft_type: z.string(),
  r: z.int().min(1).max(MOST_RANK),
  lora_alpha: z.number(),
});

/** Settings of LoRA that change what an adapter does, and are done nowhere here: they have to be off, as they are by default. */
const OFF = [
  'use_rslora',
  'use_dora',
  'use_qalora',
  'use_bdlora',
  'lora_bias',
  'fan_in_fan_out',
  'modules_to_save',
  'rank_pattern',
  'alpha_pattern',
  'layer_replication',
  'trainable_token_indices',
  'target_parameters',
  'alora_invocation_tokens',
  'arrow_config',
  'kasa_config',
  'velora_config',
  'monteclora_config',
  'megatron_config',
] as const;

/** Ways to begin that leave the model's own weights as they are; after others (`pissa`, `olora`, `corda`, `loftq`) the adapter belongs to changed ones. */
const BEGINNINGS: readonly unknown[] = [undefined, null, true, false, 'gaussian', 'orthogonal', 'eva'];

/** Most bytes of a configuration that are looked at: PEFT's own take one or two thousand. */
export const MOST_CONFIG_BYTES = 256 * 1024;

/** @throws ADAPTER_INVALID when it is none; UNSUPPORTED for kinds of adapters that Quarry cannot do */
export function readPeftConfig(bytes: Uint8Array): PeftConfig {
  const sound = bytes.length <= MOST_CONFIG_BYTES && !jsonExcess(bytes);
  const parsed = configSchema.safeParse(sound ? parsedJson(Buffer.from(bytes).toString('utf8')) : undefined);
  if (!parsed.success) throw invalidAdapter(say('adapters.noConfig'));
  const { peft_type: kind, r: rank, lora_alpha: alpha, ...more } = parsed.data;
  if (kind !== 'LORA') throw unsupportedAdapter(say('adapters.otherKind'));
  const on = OFF.find((name) => isOn(more[name]));
  if (on !== undefined) throw unsupportedAdapter(say('adapters.feature', { feature: on }));
  if (more.bias !== undefined && more.bias !== 'none')
    throw unsupportedAdapter(say('adapters.feature', { feature: 'bias' }));
  if (!BEGINNINGS.includes(more.init_lora_weights)) {
    throw unsupportedAdapter(say('adapters.feature', { feature: 'init_lora_weights' }));
  }
  return { rank, alpha: checkedAlpha(alpha) };
}

function isOn(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

/** The configuration that PEFT reads (https://huggingface.co/docs/peft/package_reference/lora), as JSON. @param model what the base is called */
export function peftConfigText({ rank, alpha, modules, base, matrices }: LoraAdapter, model: string): string {
  const layers = layersOf(matrices.keys());
  const config = {
    peft_type: 'LORA',
    task_type: 'CAUSAL_LM',
    base_model_name_or_path: model,
    inference_mode: true,
    r: rank,
    lora_alpha: alpha,
    lora_dropout: 0,
    bias: 'none',
    fan_in_fan_out: false,
    init_lora_weights: true,
    use_rslora: false,
    use_dora: false,
    target_modules: modules,
    layers_to_transform: layers.length < base.layers ? layers : null,
    layers_pattern: layers.length < base.layers ? 'layers' : null,
    rank_pattern: {},
    alpha_pattern: {},
    modules_to_save: null,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
