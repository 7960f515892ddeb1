import { expect, it } from 'vitest';
import type { AuditingBackend } from '../../../../src-main/inference/verified/read-again.ts';
import type { ClaimedAnswer } from '../../../../src-main/mesh/asking/claimed-answer.ts';
import { AuditDesk, type Found } from '../../../../src-main/mesh/audits/audit-desk.ts';
import { InferenceAuditStore } from '../../../../src-main/store/mesh/inference-audits.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { testLog } from '../../../support/mesh-node.ts';

/* Real books, and a model that says «a» for certain: whatever else a worker says, it has not chosen. */

const MODEL = 'ab'.repeat(32);
const WORKER = 'cd'.repeat(32);
const HONEST = 1;
const FALSE = 2;
const ROOM = 8_192;
const ASKED_AT = 1_700_000_000_000;
const THRESHOLD = { top: 0.5, chosen: 0.5, mismatches: 0.1 };
const THRESHOLDS = { 32: THRESHOLD, 128: THRESHOLD, 512: THRESHOLD, 2048: THRESHOLD };

const backend: AuditingBackend = {
  tokenize: async () => [],
  async score({ continuation }, options) {
    expect(options?.askedAt).toBe(ASKED_AT);
    const ids = continuation as readonly number[];
    if (ids.length > ROOM) throw new QuarryError({ code: 'CONTEXT_TOO_LONG', message: 'too long' });
    if (ids.some((id) => id > FALSE))
      throw new QuarryError({ code: 'BAD_REQUEST', message: 'no such token', field: 'continuation' });
    const top = Array.from({ length: 10 }, (_, id) => ({ id: id + 1, token: 'a', bytes: [97], logprob: id ? -20 : 0 }));
    const tokens = ids.map((id) => ({ id, token: 'a', bytes: [97], logprob: id === HONEST ? 0 : -20, top }));
    return { tokens, totalLogprob: 0 };
  },
};

async function opened(random = () => 0, device = 'cpu') {
  const store = new InferenceAuditStore(await memoryDatabase());
  const calibration = { name: 'a', tokens: 1, answers: 1, device: 'cpu', at: 0 };
  await store.calibrate({ model: MODEL, thresholds: JSON.stringify(THRESHOLDS), ...calibration });
  const found: Found[] = [];
  const desk = new AuditDesk({
    ...{ store, random, log: testLog },
    auditor: () => ({ sha256: MODEL, device, backend }),
    onFound: (one) => found.push(one),
  });
  let answers = 0;
  /** Resolves when it was looked at; an answer that is not looked at never is. */
  const take = async (ids: readonly number[], text = 'a'.repeat(ids.length)) => {
    desk.take(answer(String(answers++).padStart(32, '0'), ids, text));
    await expect.poll(async () => (await store.of(WORKER, MODEL))?.answers).toBe(answers);
  };
  return { desk, store, found, take, [Symbol.asyncDispose]: () => desk.close() };
}

const TOP = Array.from({ length: 10 }, (_, id): [number, number] => [id + 1, id ? -20_000 : 0]);

/** As far as the desk looks at it: who brings it has seen that it is signed. */
function answer(requestId: string, ids: readonly number[], text: string, question = 'A'): ClaimedAnswer {
  return {
    prompt: { ts: ASKED_AT, input: { prompt: question }, params: { temperature: 0, seed: 1 } },
    tokens: ids.map((id) => [id, id === HONEST ? 0 : -20_000, TOP]),
    text,
    claim: { body: { requestId, worker: WORKER, model: MODEL } },
  } as unknown as ClaimedAnswer;
}

const times = (count: number, id: number) => Array.from({ length: count }, () => id);

it('finds nobody out who has chosen what the model chooses', async () => {
  await using audits = await opened();
  for (let each = 0; each < 5; each++) await audits.take(times(100, HONEST));
  expect(audits.found).toEqual([]);
});

it('finds nobody out by what was measured on another device, and counts all the same', async () => {
  await using audits = await opened(() => 0, 'cuda');
  await audits.take(times(100, FALSE));
  expect(audits.found).toEqual([]);
  expect(await audits.store.of(WORKER, MODEL)).toMatchObject({ tokens: 100, finding: null });
});

it('looks at long answers, too, and at fewer after them', async () => {
  await using audits = await opened();
  await audits.take(times(6_000, FALSE));
  expect(audits.found).toHaveLength(1);
  audits.desk.take(answer('f'.repeat(32), times(10, HONEST), 'a'));
  await audits.desk.close();
  expect((await audits.store.of(WORKER, MODEL))?.answers).toBe(1);
});

it('reads no more than its share of long questions either, however short their answers are', async () => {
  await using audits = await opened();
  const question = 'word '.repeat(25_000); // some 31,000 tokens
  for (let each = 0; each < 100; each++)
    audits.desk.take(answer(String(each).padStart(32, '0'), [HONEST], 'a', question));
  await expect.poll(async () => (await audits.store.of(WORKER, MODEL))?.answers).toBe(3);
  await audits.desk.close();
  expect((await audits.store.of(WORKER, MODEL))?.answers).toBe(3);
});

it('counts an answer with tokens that the model does not have as none of its', async () => {
  await using audits = await opened();
  await audits.take([...times(40, HONEST), 0xffff_ffff]);
  expect(audits.found).toMatchObject([{ worker: WORKER, finding: { found: 1, tokens: 41 } }]);
});

it('looks at the beginning of what this model has no room for', async () => {
  await using audits = await opened();
  await audits.take(times(10_000, HONEST));
  expect(await audits.store.of(WORKER, MODEL)).toMatchObject({ tokens: 5_000, mismatches: 0 });
});

it('keeps no more text in memory than it says, for those who could be found out', async () => {
  await using audits = await opened();
  const text = 'a'.repeat(2 << 20);
  for (let each = 0; each < 12; each++) await audits.take([HONEST], text);
  while (audits.found.length === 0) await audits.take([FALSE], text);
  const [{ answers } = expect.fail('nothing was found')] = audits.found;
  expect(answers.length).toBeGreaterThan(1);
  expect(answers.reduce((sum, each) => sum + each.text.length, 0)).toBeLessThanOrEqual(32 << 20);
});
