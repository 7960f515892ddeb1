import type { Token } from 'node-llama-cpp';
import { loadModel } from '../../inference/child/load-model.ts';
import { type Addon, type BatchItem, openAddon, type Sampler } from '../../inference/child/loop/addon.ts';
import { fastestGroup } from '../../inference/child/loop/batch-plan.ts';
import { measureDecodeCosts } from '../../inference/child/loop/decode-costs.ts';
import { BATCH_TOKENS, type LoadOptions } from '../../inference/engine-protocol.ts';

/** What the bench asks of the raw loop: to load a model, or to answer prompts that are read already. */
export type RawOrder =
  | { type: 'load'; options: LoadOptions }
  | { type: 'complete'; prompts: number[][]; tokens: number };
/** `ms`: from the first batch to the last token. */
export type RawAnswer = { type: 'loaded' } | { type: 'completed'; ms: number } | { type: 'failed'; message: string };

interface Stream {
  sequence: number;
  prompt: readonly Token[];
  sampler: Sampler;
  /** Tokens in its sequence. */
  length: number;
  next: Token;
}

/**
 * The least that has to be done for some answers, in a process of its own, as the engine child is: prompts are read one after the other,
 * then all streams decode in groups of the fastest size; each token is sampled, and that is all. No requests, no text, no messages.
 */
class RawLoop {
  readonly #addon: Addon;
  readonly #costs: Awaited<ReturnType<typeof measureDecodeCosts>>;

  private constructor(addon: Addon, costs: Awaited<ReturnType<typeof measureDecodeCosts>>) {
    this.#addon = addon;
    this.#costs = costs;
  }

  static async load(options: LoadOptions): Promise<RawLoop> {
    const { model, context, info } = await loadModel(options, () => undefined);
    const addon = openAddon(model, context);
    const now = () => performance.now();
    const costs = await measureDecodeCosts({ addon, sequences: info.parallel, now, isWanted: () => true });
    return new RawLoop(addon, costs);
  }

  async complete(prompts: readonly number[][], tokens: number): Promise<number> {
    const streams = prompts.map(
      (prompt, sequence): Stream => ({
        sequence,
        prompt: prompt as Token[],
        sampler: this.#addon.createSampler({
          ...{ temperature: 0, topP: 1, topK: 0, repeatPenalty: 1 },
          ...{ history: [], seed: 0 },
        }),
        length: 0,
        next: 0 as Token,
      }),
    );
    const began = performance.now();
    for (const stream of streams) await this.#read(stream);
    for (let token = 1; token < tokens; token++) await this.#step(streams);
    const ms = performance.now() - began;
    for (const { sequence, sampler } of streams) {
      sampler.dispose();
      this.#addon.clear(sequence);
    }
    return ms;
  }

  async #read(stream: Stream): Promise<void> {
    const { prompt, sequence } = stream;
    for (let at = 0; at < prompt.length; at += BATCH_TOKENS) {
      const tokens = prompt.slice(at, at + BATCH_TOKENS);
      const last = at + tokens.length === prompt.length;
      await this.#decode([stream], [{ sequence, position: at, tokens, logits: last ? [tokens.length - 1] : [] }]);
    }
    stream.length = prompt.length;
  }

  async #step(streams: readonly Stream[]): Promise<void> {
    for (let at = 0; at < streams.length; ) {
      const group = streams.slice(at, at + fastestGroup(streams.length - at, this.#costs));
      const items = group.map(({ sequence, length, next }) => ({
        sequence,
        position: length,
        tokens: [next],
        logits: [0],
      }));
      await this.#decode(group, items);
      for (const stream of group) stream.length++;
      at += group.length;
    }
  }

  async #decode(streams: readonly Stream[], items: readonly BatchItem[]): Promise<void> {
    const { logits, done } = this.#addon.decode(items);
    const sampled = streams.map(async (stream, index) => {
      const [at] = logits[index] ?? [];
      if (at !== undefined) stream.next = await stream.sampler.sample(at);
    });
    await done;
    await Promise.all(sampled);
  }
}

let loop: RawLoop | undefined;

async function answer(order: RawOrder): Promise<RawAnswer> {
  if (order.type === 'load') {
    loop = await RawLoop.load(order.options);
    return { type: 'loaded' };
  }
  if (!loop) return { type: 'failed', message: 'No model is loaded.' };
  return { type: 'completed', ms: await loop.complete(order.prompts, order.tokens) };
}

process.on('message', (order: RawOrder) => {
  answer(order).then(
    (answered) => process.send?.(answered),
    (error: unknown) => process.send?.({ type: 'failed', message: String(error) } satisfies RawAnswer),
  );
});
process.on('disconnect', () => process.exit());
