import type { LlamaContext, LlamaModel, Token } from 'node-llama-cpp';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { vocabularySize } from '../../gguf/model-facts.ts';
import { checkGguf } from '../../gguf/model-file.ts';
import { BATCH_TOKENS, type DraftOptions } from '../engine-protocol.ts';
import type { LoadedModel } from './load-model.ts';
import { type Addon, openAddon } from './loop/addon.ts';

/** A draft model in memory, beside the model that it guesses for. */
export interface LoadedDraft {
  addon: Addon;
  /** Tokens of each sequence that it has room for. */
  contextSize: number;
}

/** By so many tokens vocabularies of one family differ in length: their ends are filled up for the hardware. */
const FILLING = 128;
/** Any token: what it says does not matter. */
const TOKEN = 1 as Token;

/**
 * Loads the draft model with as many sequences as the model has, and as long ones, where it was made for that.
 * @throws MODEL_INVALID where it cannot guess for this model, or nothing can; OUT_OF_MEMORY. Then nothing of it is left in memory
 */
export async function loadDraft(main: LoadedModel, { path, name }: DraftOptions): Promise<LoadedDraft> {
  await checkCanGoBack(openAddon(main.model, main.context), main.model, main.info.name);
  const { header } = await checkGguf(path);
  const sizes = [vocabularySize(main.header), vocabularySize(header)] as const;
  if (Math.abs(sizes[0] - sizes[1]) > FILLING) throw otherVocabulary(main, name);
  const model = await main.llama.loadModel({ modelPath: path, gpuLayers: main.info.gpuLayers > 0 ? 'auto' : 0 });
  try {
    const context = await openContext(model, main);
    const addon = openAddon(model, context);
    checkVocabulary(main, addon, { name, size: Math.min(...sizes) });
    await checkCanGoBack(addon, model, name);
    return { addon, contextSize: context.contextSize };
  } catch (error) {
    await model.dispose();
    throw error;
  }
}

async function openContext(model: LlamaModel, { info }: LoadedModel): Promise<LlamaContext> {
  const contextSize = Math.min(info.contextSize, model.trainContextSize);
  const { parallel: sequences, threads } = info;
  try {
    return await model.createContext({ sequences, contextSize, batchSize: BATCH_TOKENS, threads });
  } catch (cause) {
    throw new QuarryError({ code: 'OUT_OF_MEMORY', message: say('engine.noMemory') }, { cause });
  }
}

/** A model whose memory is a running state, or a sliding window, keeps nothing to go back to. */
async function checkCanGoBack(addon: Addon, model: LlamaModel, name: string): Promise<void> {
  if (model.fileInsights.swaSize === undefined) {
    await addon.decode([{ sequence: 0, position: 0, tokens: [TOKEN, TOKEN], logits: [] }]).done;
    const canGoBack = addon.truncate(0, 1, 2);
    addon.clear(0);
    if (canGoBack) return;
  }
  throw new QuarryError({ code: 'MODEL_INVALID', message: say('engine.cannotGoBack', { name }) });
}

function checkVocabulary(main: LoadedModel, draft: Addon, { name, size }: { name: string; size: number }): void {
  const own = openAddon(main.model, main.context);
  for (let token = 0; token < size; token++) {
    if (own.tokenText(token as Token) !== draft.tokenText(token as Token)) throw otherVocabulary(main, name);
  }
}

function otherVocabulary({ info }: LoadedModel, draft: string): QuarryError {
  return new QuarryError({
    code: 'MODEL_INVALID',
    message: say('engine.draftVocabulary', { draft, name: info.name }),
    hint: say('engine.sameFamily'),
  });
}
