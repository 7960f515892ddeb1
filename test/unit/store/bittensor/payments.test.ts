import { expect, it, onTestFinished } from 'vitest';
import { PaymentStore } from '../../../../src-main/store/bittensor/payments.ts';
import { openDatabase } from '../../../../src-main/store/database.ts';

it('a payment is good for one order, however often that one asks', async () => {
  const db = await openDatabase(':memory:');
  onTestFinished(() => db.destroy());
  const store = new PaymentStore(db);
  const payment = { chain: '0x11', block: '0x22', event: 3, order: 'one', usedAt: 1 };
  const uses = [payment, payment, { ...payment, order: 'two' }, { ...payment, order: 'two', event: 4 }];
  expect(await Promise.all(uses.map((use) => store.use(use)))).toEqual([true, true, false, true]);
  expect(await store.use({ ...payment, chain: '0x12', order: 'three' })).toBe(true);
});
