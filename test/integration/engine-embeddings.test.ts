import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Embedder } from '../../src-main/inference/child/embedder.ts';
import { loadModel } from '../../src-main/inference/child/load-model.ts';
import type { RequestEvent } from '../../src-main/inference/engine-protocol.ts';
import { loadOptions } from '../../src-main/inference/host/local-options.ts';
import { generate, TINY_MODEL, tinyEngine } from '../support/engine.ts';
import { hearing } from '../support/hearing-engine.ts';

const said: RequestEvent[] = [];
const engine = tinyEngine({ spawner: hearing(said) });
beforeAll(() => engine.open());
afterAll(() => engine.close());

const dot = (a: number[] = [], b: number[] = []) => a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

it('have length 1, one for each text in order', async () => {
  const { vectors, promptTokens } = await engine.embed(['a peer', 'the ledger', 'a peer']);
  expect(vectors).toHaveLength(3);
  for (const vector of vectors) expect(dot(vector, vector)).toBeCloseTo(1, 6);
  expect(vectors[2]).toEqual(vectors[0]);
  expect(dot(vectors[0], vectors[1])).toBeLessThan(0.999);
  expect(promptTokens).toBeGreaterThanOrEqual(6);
});

it('are the same every time, also beside a request that decodes', async () => {
  const before = await engine.embed(['some text to embed']);
  const [during] = await Promise.all([
    engine.embed(['some text to embed']),
    generate(engine, { input: { prompt: 'A' }, maxTokens: 50 }),
  ]);
  expect(during).toEqual(before);
});

it('are the mean over the tokens, not the last one’s alone', async () => {
  // The same end after different beginnings: the last token’s vector would hardly tell.
  const { vectors } = await engine.embed(['zebra zebra zebra zebra zebra mesh', 'mesh']);
  const reversed = await engine.embed(['mesh zebra zebra zebra zebra zebra']);
  expect(dot(vectors[0], reversed.vectors[0])).toBeGreaterThan(dot(vectors[0], vectors[1]));
});

it('of a long text are the same whether or not it is read in pieces', async () => {
  const words = Array.from({ length: 300 }, (_, index) => ['zebra', 'mesh', 'ledger', 'peer'][(index * 7) % 4]).join(
    ' ',
  );
  const { llama, model } = await loadModel(loadOptions({ modelPath: TINY_MODEL, log: pino({ level: 'silent' }) }));
  const vectorOf = async (inPieces: boolean) => {
    const embedder = new Embedder({ model, threads: 1, contextSize: 1024, inPieces });
    return (await embedder.embed([words], () => false)).vectors[0];
  };
  const [whole, inPieces] = [await vectorOf(false), await vectorOf(true)];
  await llama.dispose();
  expect(dot(whole, inPieces)).toBeCloseTo(1, 5);
});

it('of long texts that come together are those of each alone', async () => {
  const texts = ['zebra '.repeat(200), 'mesh ledger '.repeat(100)];
  const alone = [await engine.embed(texts.slice(0, 1)), await engine.embed(texts.slice(1))];
  const together = await Promise.all(texts.map((text) => engine.embed([text])));
  expect(together).toEqual(alone);
});

it('let an answer get on while a long text is read', async () => {
  const before = said.length;
  await Promise.all([
    generate(engine, { input: { prompt: 'A' }, maxTokens: 5 }),
    engine.embed(['credits '.repeat(900)]),
  ]);
  const ended = said.slice(before).flatMap((event) => (event.type === 'done' ? event.result.kind : []));
  expect(ended).toEqual(['generate', 'embed']);
});

it('refuse a text that is too long, with both numbers', async () => {
  await expect(engine.embed(['short', 'credits '.repeat(2_000)])).rejects.toMatchObject({
    code: 'CONTEXT_TOO_LONG',
    message: expect.stringMatching(/200\d.*1023/),
    field: 'inputs.1',
  });
});

it('refuse an empty text', async () => {
  await expect(engine.embed([''])).rejects.toMatchObject({ code: 'BAD_REQUEST', field: '0' });
});
