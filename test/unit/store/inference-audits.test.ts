import { expect, it } from 'vitest';
import { InferenceAuditStore } from '../../../src-main/store/inference-audits.ts';
import { memoryDatabase } from '../../support/memory-database.ts';

const PAIR = { worker: 'ab'.repeat(32), model: 'cd'.repeat(32) };
const DAY = 86_400_000;
const audit = (tokens: number, share: number, at = 0) => ({
  ...PAIR,
  ...{ tokens, top: share * tokens, chosen: share * tokens, mismatches: share * tokens, at },
});
const open = async () => new InferenceAuditStore(await memoryDatabase());

it('adds up what audits of a worker came to', async () => {
  const store = await open();
  await store.add(audit(100, 0.5));
  expect(await store.add(audit(300, 0.1))).toMatchObject({ answers: 2, tokens: 400, top: 80, mismatches: 80 });
});

it('goes by the last tokens: nobody lies long on what was honest before', async () => {
  const store = await open();
  for (let answer = 0; answer < 2_000; answer++) await store.add(audit(64, 0));
  let row = await store.add(audit(64, 1));
  for (let lies = 1; row.mismatches / row.tokens < 0.1; lies++) {
    expect(lies).toBeLessThan(10);
    row = await store.add(audit(64, 1));
  }
  expect(row.tokens).toBeGreaterThan(2_048);
  expect(row.answers).toBeGreaterThan(2_000);
});

it('begins anew with who was found out thirty days ago', async () => {
  const store = await open();
  await store.add(audit(64, 1));
  await store.found(PAIR.worker, PAIR.model, '{}', []);
  expect(await store.add(audit(10, 1, DAY))).toMatchObject({ tokens: 74, finding: '{}' });
  expect(await store.add(audit(10, 0, 32 * DAY))).toMatchObject({ answers: 1, tokens: 10, top: 0, finding: null });
});

it('keeps five thousand workers, and those who were found out no longer than they are left alone', async () => {
  const store = await open();
  const model = PAIR.model;
  const worker = (number: number) => number.toString(16).padStart(64, '0');
  for (let number = 0; number < 5_000; number++) await store.add({ ...audit(1, 1, number), worker: worker(number) });
  await store.found(worker(0), model, '{}', []);
  await store.add({ ...audit(1, 1, DAY), worker: worker(6_000) });
  expect([await store.of(worker(0), model), await store.of(worker(1), model)]).toEqual([expect.anything(), undefined]);
  await store.add({ ...audit(1, 1, 40 * DAY), worker: worker(6_001) });
  expect(await store.of(worker(0), model)).toBeUndefined();
});
