import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRealModel, MINILM } from '../support/real-models.ts';
import { type RealNode, startRealNode } from '../support/real-node.ts';

/** A model that was trained to embed: like meanings lie near each other. `npm run test:models` fetches it. */
const modelPath = await findRealModel(MINILM);

let node: RealNode;

beforeAll(async () => {
  if (modelPath) node = await startRealNode(modelPath, 512);
});

afterAll(() => node?.[Symbol.asyncDispose]());

const CAT = 'A cat sits on the mat.';
const KITTEN = 'A kitten rests on the rug.';
const STOCKS = 'Stocks fell sharply on Tuesday.';
const ODD = 'The naïve café-owner’s 1,234 unbelievable hyperparameters.';

async function embed(input: string[]) {
  const { data, usage } = await node.client.embeddings.create({ model: 'local', input });
  return { vectors: data.map(({ embedding }) => embedding), tokens: usage.prompt_tokens };
}

/** Of vectors of length 1, the cosine of the angle between them. */
function likeness(a: number[] = [], b: number[] = []): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

describe.skipIf(!modelPath)('a node with all-MiniLM-L6-v2', () => {
  it('puts like meanings near each other, as near as the model’s own formula does', async () => {
    const { vectors, tokens } = await embed([CAT, KITTEN, STOCKS, ODD]);
    const [cat, kitten, stocks, odd] = vectors;
    expect(cat).toHaveLength(384);
    // From the published weights in single precision, computed without llama.cpp and with the published tokeniser.
    expect(likeness(cat, kitten)).toBeCloseTo(0.6655, 2);
    expect(likeness(cat, stocks)).toBeCloseTo(0.0713, 2);
    expect(likeness(cat, odd)).toBeCloseTo(-0.0301, 2);
    expect(cat?.slice(0, 4).map((value) => Number(value.toFixed(3)))).toEqual([0.127, -0.033, -0.029, 0.044]);
    expect(tokens).toBe(9 + 9 + 8 + 18);
  });

  it('finds the text that a question is about', async () => {
    const texts = [
      'Receipts are signed by the worker and by the client.',
      'The kettle boils at one hundred degrees.',
      'Credits are earned by answering the questions of others.',
    ];
    const { vectors } = await embed(['How do I get credits?', ...texts]);
    const [question, ...found] = vectors;
    const ranked = found.map((vector, index) => ({ index, near: likeness(question, vector) }));
    expect(ranked.sort((a, b) => b.near - a.near)[0]?.index).toBe(2);
  });

  it('does not pretend to answer', async () => {
    const asking = node.client.chat.completions.create({ model: 'local', messages: [{ role: 'user', content: CAT }] });
    await expect(asking).rejects.toMatchObject({
      status: 400,
      param: 'model',
      message: expect.stringContaining('makes embeddings only'),
    });
  });

  it('is told to be asked no more than it can read', async () => {
    await expect(embed(['word '.repeat(600)])).rejects.toMatchObject({ status: 400 });
  });
});
