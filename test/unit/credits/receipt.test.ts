import { expect, it } from 'vitest';
import { receiptBytes, receiptSchema } from '../../../src-main/credits/receipt.ts';
import { signedReceipt, testIdentity } from '../../support/credit-nodes.ts';

it('whatever the schema takes has bytes that can be signed: no half of a character', () => {
  const receipt = signedReceipt(testIdentity(1), testIdentity(2));
  const named = (model: string) => ({ ...receipt, body: { ...receipt.body, model } });
  expect(receiptSchema.safeParse(named('model 👋')).success).toBe(true);
  for (const half of ['\ud83d', 'a\udc4b']) {
    expect(() => receiptBytes(named(half).body)).toThrow();
    expect(receiptSchema.safeParse(named(half)).success).toBe(false);
  }
});
