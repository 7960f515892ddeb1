import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Changes } from '../../../../src-main/base/changes.ts';
import { type ClientBatch, ClientFeedback } from '../../../../src-main/learning/feedback/client-feedback.ts';
import { CLAAS_TRAINING } from '../../../../src-main/learning/feedback/client-training.ts';
import { FeedbackDesk } from '../../../../src-main/learning/feedback/feedback-desk.ts';
import type { AdapterPort, RunOutcome, RunPort } from '../../../../src-main/learning/feedback/ports.ts';
import { textHash } from '../../../../src-main/learning/visible-text.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { CompletionStore } from '../../../../src-main/store/learning/learning-completions.ts';
import { FeedbackStore } from '../../../../src-main/store/learning/learning-feedback.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { completionRow } from '../../../support/kept-answers.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

const OUTCOME: RunOutcome = { run: 'r', state: 'accepted', version: 'v', figures: {}, trainingMs: 1, savingMs: 1 };

let db: Db;
let store: FeedbackStore;
let desk: FeedbackDesk;
/** What was to be learnt. */
let learnt: (readonly number[])[];
/** How often it was said that something waits. */
let added: number;
let fails: QuarryError | undefined;

const adapters = {
  async resolve(ref) {
    if (ref === 'user/x-latest') return 'user/x';
    throw new QuarryError({ code: 'MODEL_NOT_FOUND', message: 'No.' });
  },
} as Partial<AdapterPort> as AdapterPort;
const runs: RunPort = {
  hindrance: () => 'The battery is low.',
  added: () => void added++,
  async learn(wanted) {
    learnt.push(wanted);
    if (fails) throw fails;
    return OUTCOME;
  },
};

beforeEach(async () => {
  db = await memoryDatabase();
  const completions = new CompletionStore(db);
  store = new FeedbackStore(db);
  desk = new FeedbackDesk({ completions, feedback: store, adapter: () => 'personal', changes: new Changes() });
  [learnt, added] = [[], 0];
  fails = undefined;
  await completions.put(completionRow({ id: 'a', text: 'It is.', text_hash: textHash('It is.') }));
  await completions.put(completionRow({ id: 'b', text: 'No.', text_hash: textHash('No.') }));
  await completions.put(completionRow({ id: 'bare', tokens: new Uint8Array(), logprobs: new Uint8Array() }));
});
afterEach(() => db.destroy());

const batch = (more: Partial<ClientBatch> = {}): ClientBatch => ({
  adapter: 'user/x-latest',
  items: [
    { response: ' It  is. ', feedback: 'Be brief.' },
    { completion: 'b', response: 'It is.', feedback: 'Say yes.' },
  ],
  training: CLAAS_TRAINING,
  wait: true,
  ...more,
});
const take = (wanted: ClientBatch, has: Partial<ConstructorParameters<typeof ClientFeedback>[0]> = {}) =>
  new ClientFeedback({ desk, adapters, runs, ...has }).take(wanted, AbortSignal.timeout(60_000));
const given = () => store.list({ limit: 9 });

describe('a batch of feedback', () => {
  it('is kept, and learnt in one run', async () => {
    expect(await take(batch())).toEqual({ feedback: [1, 2], outcome: OUTCOME });
    expect([learnt, added]).toEqual([[[1, 2]], 0]);
    const about = { name: 'user/x', kind: 'say', training: null, state: 'waiting' };
    expect(await given()).toMatchObject([
      { completion: 'b', text: 'Say yes.', ...about },
      { completion: 'a', text: 'Be brief.', ...about },
    ]);
  });

  it('waits with the rest where nobody waits for it', async () => {
    expect(await take(batch({ wait: false }))).toEqual({ feedback: [1, 2] });
    expect([learnt, added]).toEqual([[], 1]);
  });

  it('is kept with what its client wishes, and with nothing where it wishes what everybody gets', async () => {
    const wished = { ...CLAAS_TRAINING, teacherTopK: 20, alpha: 0.9 };
    await take(batch({ training: wished }));
    await take(batch({ training: { ...wished } }));
    const training = '{"alpha":0.9,"teacherTopK":20}';
    expect(await given()).toMatchObject([{ training }, { training }, { training }, { training }]);
  });

  it('that is sent again with its key counts once, and without one twice', async () => {
    await take(batch({ key: 'k' }));
    expect((await take(batch({ key: 'k' }))).feedback).toEqual([1, 2]);
    expect((await take(batch())).feedback).toEqual([3, 4]);
  });

  it('of other content with the same key is refused, and nothing of it is kept', async () => {
    await take(batch({ key: 'k', wait: false }));
    const [first, second] = batch().items;
    const items = [first, { ...second, feedback: 'Say maybe.' }] as ClientBatch['items'];
    for (const other of [{ items }, { training: { ...CLAAS_TRAINING, teacherTopK: 20 } }]) {
      const refused = { code: 'BAD_REQUEST', field: 'key' };
      await expect(take(batch({ key: 'k', ...other }))).rejects.toMatchObject(refused);
    }
    expect([learnt, added, (await given()).length]).toEqual([[], 1, 2]);
  });

  it('that is longer or shorter than what was sent with its key is another one', async () => {
    const [first, second] = batch().items as [ClientBatch['items'][0], ClientBatch['items'][0]];
    await take(batch({ key: 'k', wait: false }));
    for (const items of [[first], [first, second, { response: 'No.', feedback: 'Say why.' }]]) {
      await expect(take(batch({ key: 'k', items }))).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'key' });
    }
    expect([learnt, added, (await given()).length]).toEqual([[], 1, 2]);
  });

  it('for which there is no room leaves nothing of it behind', async () => {
    const completions = new CompletionStore(db);
    const adapter = () => 'personal';
    const small = new FeedbackDesk({ completions, feedback: store, adapter, changes: new Changes(), most: 1 });
    await expect(take(batch({ wait: false }), { desk: small })).rejects.toMatchObject({ code: 'LEARNING_BUSY' });
    expect([added, await given()]).toEqual([0, []]);
  });

  it('stays where learning fails', async () => {
    fails = new QuarryError({ code: 'LEARNING_BUSY', message: 'Later.' });
    await expect(take(batch())).rejects.toBe(fails);
    expect((await given()).map(({ state }) => state)).toEqual(['waiting', 'waiting']);
  });

  it('of which one part cannot be learnt leaves nothing behind', async () => {
    const [first] = batch().items;
    const items = (more: object) =>
      [first, { response: 'Never said.', feedback: 'Hm.', ...more }] as ClientBatch['items'];
    await expect(take(batch({ items: items({}) }))).rejects.toMatchObject({ code: 'ANSWER_NOT_FOUND' });
    const bare = batch({ items: items({ completion: 'bare' }) });
    await expect(take(bare)).rejects.toMatchObject({ code: 'ANSWER_INCOMPLETE' });
    await expect(take(batch({ adapter: 'never' }))).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
    expect([await given(), learnt]).toEqual([[], []]);
  });

  it('is refused on a node that does not learn', async () => {
    await expect(take(batch(), { runs: undefined })).rejects.toMatchObject({ code: 'NOT_RUNNING' });
    await expect(take(batch(), { adapters: undefined })).rejects.toMatchObject({ code: 'NOT_RUNNING' });
    expect(await given()).toEqual([]);
  });
});

it('says why nothing can be learnt', () => {
  expect(new ClientFeedback({ desk, adapters, runs }).hindrance()).toBe('The battery is low.');
  const none = new ClientFeedback({ desk, adapters, runs: undefined });
  expect(none.hindrance()).toMatchObject({ key: 'learning.noTraining' });
});
