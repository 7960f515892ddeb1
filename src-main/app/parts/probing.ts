import { say } from '../../../src-preload/contract/saying.ts';
import { type ModelFacts, modelFacts } from '../../gguf/model-facts.ts';
import { readModelHeader } from '../../gguf/model-file.ts';
import type { InferenceBackend } from '../../inference/backend.ts';
import type { EngineSlot } from '../../inference/host/engine-slot.ts';
import { badField, checkRequest } from '../../inference/request-schema.ts';
import type { ProbeDoor } from '../../server/probing/probe-door.ts';
import {
  answerProbe,
  inferenceSchema,
  type ProbedModel,
  takesProbes,
} from '../../subnets/quasar/verification/answering.ts';
import type { EnginePart } from './engine.ts';
import { NO_ENGINE } from './engine.ts';
import { need } from './need.ts';

/** Lets validators of QUASAR look with which model this node computes, over HTTP. */
export function openProbing({ engine }: { engine: Pick<EnginePart, 'slot'> | undefined }): ProbeDoor {
  const slot = () => need(engine, NO_ENGINE).slot;
  const factsOf = factsReader();
  return {
    model() {
      const { state, model } = engine?.slot.status() ?? {};
      return state === 'ready' && model ? { name: model.name, device: model.device } : undefined;
    },
    async inference(body, signal) {
      const model = probedModel(slot());
      const { prompt, gen_len: length, logits_at_step: captureAt } = checkRequest(inferenceSchema, body);
      if (captureAt > length) throw badField('logits_at_step', say('engine.probeStep', { length }));
      return answerProbe(model, { prompt, length, captureAt }, signal);
    },
    info: async () => infoOf(slot().need(), factsOf),
  };
}

/** The model of an engine. @throws ENGINE_UNAVAILABLE while there is none, NOT_RUNNING where it takes no bare tokens */
export function probedModel(slot: EngineSlot): ProbedModel {
  const backend = slot.need();
  return need(takesProbes(backend) ? backend : undefined, NO_ENGINE);
}

type FactsOf = (backend: InferenceBackend) => Promise<ModelFacts>;

/** Reads the file of each engine once: it has the same one for as long as it lives. */
function factsReader(): FactsOf {
  const read = new WeakMap<InferenceBackend, ModelFacts>();
  return async (backend) => {
    const { modelPath } = need(backend.engine, NO_ENGINE);
    const facts = read.get(backend) ?? modelFacts(await readModelHeader(modelPath));
    read.set(backend, facts);
    return facts;
  };
}

async function infoOf(backend: InferenceBackend, factsOf: FactsOf): Promise<object> {
  const facts = await factsOf(backend);
  const { name, device, sha256 = null } = backend.status().model ?? {};
  const { embedding: hidden_size, layers: num_hidden_layers, heads: num_attention_heads } = facts;
  return {
    ...{ model_name: name ?? facts.name ?? '', vocab_size: facts.vocabulary, device, dtype: facts.quantisation },
    model_config: { hidden_size, num_hidden_layers, num_attention_heads },
    model_sha256: sha256,
  };
}
