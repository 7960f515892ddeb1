import { type LlamaModel, LlamaVocabularyType, type Token } from 'node-llama-cpp';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { TokenLogprobs, TokenProbability } from '../backend.ts';
import type { TokenChance } from '../verified/choice.ts';
import { fromByteAlphabet } from './byte-alphabet.ts';
import type { Addon, Distribution, DistributionReader } from './loop/addon.ts';

/** Control tokens in some vocabularies. */
const CALL_MARKS = new Set(['<tool_call>', '</tool_call>', '<|python_tag|>', '[TOOL_CALLS]', '[ARGS]']);

const utf8 = new TextEncoder();

/** Tokens of the loaded model as bytes and as text. */
export class Vocabulary {
  readonly #model: LlamaModel;
  readonly #addon: Addon;
  readonly #bytes = new Map<Token, Uint8Array>();

  constructor(model: LlamaModel, addon: Addon) {
    this.#model = model;
    this.#addon = addon;
  }

  /** End of the answer, of the turn or of the text. */
  isEnd(token: Token): boolean {
    return this.#model.isEogToken(token);
  }

  /**
   * What a generated token adds to the text: its bytes, which may be part of a character; none for control tokens.
   * @param marks whether those that mark a call of a tool are text as well
   */
  textBytes(token: Token, marks = false): Uint8Array {
    const { control, unknown } = this.#model.getTokenAttributes(token);
    if (!control && !unknown) return this.bytes(token);
    return marks && CALL_MARKS.has(this.#addon.tokenText(token)) ? this.bytes(token) : new Uint8Array();
  }

  /** The token's own bytes: of a control token, its name. */
  bytes(token: Token): Uint8Array {
    const known = this.#bytes.get(token);
    if (known) return known;
    const bytes = this.#readBytes(token);
    this.#bytes.set(token, bytes);
    return bytes;
  }

  #readBytes(token: Token): Uint8Array {
    const written = this.#addon.tokenText(token);
    const { byte, normal } = this.#model.getTokenAttributes(token);
    // Added tokens («<think>») are written as they are.
    if (!byte && !normal) return utf8.encode(written);
    switch (this.#model.vocabularyType) {
      case LlamaVocabularyType.bpe:
        return fromByteAlphabet(written);
      case LlamaVocabularyType.spm:
      case LlamaVocabularyType.ugm:
      case LlamaVocabularyType.wpm:
        return byte ? Uint8Array.of(Number(written.slice(1, -1))) : utf8.encode(written.replaceAll('▁', ' '));
      default:
        return utf8.encode(this.#model.detokenize([token], true));
    }
  }
}

/** Stands for «practically never», as at OpenAI: JSON has no -Infinity. */
const LOWEST = -9999;

/** Log-probabilities of one position, under the model itself. */
export class LogprobReader {
  readonly #reader: DistributionReader;
  readonly #vocabulary: Vocabulary;

  constructor(reader: DistributionReader, vocabulary: Vocabulary) {
    this.#reader = reader;
    this.#vocabulary = vocabulary;
  }

  /**
   * @param index where the position's logits lie in the last batch
   * @throws MODEL_INVALID where the model has computed no numbers
   */
  async read(index: number, token: Token): Promise<TokenLogprobs> {
    const distribution = await this.#reader.read(index, token);
    return {
      ...this.#entry(token, distribution.logit, distribution),
      top: distribution.top.map(([other, logit]) => this.#entry(other, logit, distribution)),
    };
  }

  /** The likeliest tokens at a position, best first. @throws MODEL_INVALID where the model has computed no numbers */
  async readTop(index: number): Promise<TokenChance[]> {
    const { top, logSumExp } = await this.#reader.read(index);
    return top.map(([token, logit]) => ({ id: token, logprob: logprobOf(logit, logSumExp) }));
  }

  /** With what the token is as text. */
  named({ id, logprob }: TokenChance): TokenProbability {
    const bytes = this.#vocabulary.bytes(id as Token);
    return { token: new TextDecoder().decode(bytes), id, bytes: [...bytes], logprob };
  }

  dispose(): void {
    this.#reader.dispose();
  }

  #entry(token: Token, logit: number, { logSumExp }: Distribution): TokenProbability {
    return this.named({ id: token, logprob: logprobOf(logit, logSumExp) });
  }
}

/** @throws MODEL_INVALID where it is no number */
function logprobOf(logit: number, logSumExp: number): number {
  if (Number.isNaN(logit - logSumExp)) throw noNumbers();
  return Math.min(0, Math.max(LOWEST, logit - logSumExp));
}

/** Weights that are damaged, or an adapter's that are far too large. */
function noNumbers(): QuarryError {
  return new QuarryError({ code: 'MODEL_INVALID', message: say('engine.noNumbers'), hint: say('engine.otherWeights') });
}
