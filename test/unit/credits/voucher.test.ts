import { expect, it } from 'vitest';
import { readVoucher } from '../../../src-main/credits/audit/voucher-audit.ts';
import { voucherSchema } from '../../../src-main/credits/voucher.ts';

const [by, worker, client] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];
const body = { kind: 'claim' as const, by, worker, client, credits: 3, serial: '0'.repeat(32), expires: 1 };
const sig = '0'.repeat(128);

it.each([
  ['of the most credits', { credits: 100_000 }, true],
  ['of more than a request may cost', { credits: 100_001 }, false],
  ['of nothing', { credits: 0 }, false],
  ['that was over before there was time', { expires: -1 }, false],
])('a voucher %s is the same to the wire and to the audit of the ledger', (_, over, isOne) => {
  const said = { ...body, ...over };
  expect(voucherSchema.safeParse({ body: said, sig }).success).toBe(isOne);
  expect(readVoucher({ entry: 1, ...said, sig }) !== undefined).toBe(isOne);
});
