import { describe, expect, it } from 'vitest';
import { byModel, readByModel } from '../../../../src-main/credits/ledger/by-model.ts';
import { modelStatisticsSchema } from '../../../../src-preload/contract/credits.ts';
import { openCreditNode, signedReceipt, testIdentity } from '../../../support/credit-nodes.ts';

const NONE = new Map();

const answer = (
  model: string,
  tokensPerSecond: number,
  changes: Partial<Parameters<typeof byModel>[0][number]> = {},
) => ({
  model,
  completionTokens: 101,
  firstTokenMs: 500,
  processingMs: 500 + 100_000 / tokensPerSecond,
  servedAt: 1_000,
  counted: 5,
  ...changes,
});

describe('what each model has done', () => {
  it('is added up, with the middle of its speeds, the busiest model first', () => {
    const quick = [answer('quick', 40), answer('quick', 60, { servedAt: 3_000 }), answer('quick', 900)];
    const found = byModel(
      [answer('slow', 4, { servedAt: 500, counted: 0 }), ...quick],
      new Map([['quick', { pointsPerHour: 36 }]]),
    );
    expect(found).toEqual({
      answers: 4,
      since: 500,
      models: [
        {
          ...{ name: 'quick', answers: 3, tokens: 303, tokensPerSecond: expect.closeTo(60) },
          ...{ points: 15, pointsPerHour: 36, lastAt: 3_000 },
        },
        {
          ...{ name: 'slow', answers: 1, tokens: 101, tokensPerSecond: expect.closeTo(4) },
          ...{ points: 0, pointsPerHour: null, lastAt: 500 },
        },
      ],
    });
    expect(modelStatisticsSchema.parse(found)).toEqual(found);
  });

  it('has no speed where too little was written to tell', () => {
    expect(byModel([answer('m', 10, { completionTokens: 1 })], NONE).models[0]?.tokensPerSecond).toBeNull();
    expect(byModel([answer('m', 10, { processingMs: 500 })], NONE).models[0]?.tokensPerSecond).toBeNull();
  });

  it('is nothing at first, and no more than a hundred models, whatever they are called', () => {
    expect(byModel([], NONE)).toEqual({ answers: 0, since: null, models: [] });
    const many = Array.from({ length: 300 }, (_, index) => answer(index === 0 ? '__proto__' : `model-${index}`, 10));
    expect(byModel(many, NONE)).toMatchObject({ answers: 300, models: { length: 100 } });
  });

  it('comes from the receipts of what this node served', async () => {
    const node = await openCreditNode(1);
    await node.book.worker.settle(signedReceipt(node.identity, testIdentity(2), { servedAt: node.clock.now }));
    expect(await readByModel(node.db, NONE)).toMatchObject({ answers: 1, models: [{ answers: 1 }] });
    await node.close();
  });
});
