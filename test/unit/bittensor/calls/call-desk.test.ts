import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ChainAction, chainActionSchema, type SentCall } from '../../../../src-preload/contract/chain.ts';
import { RAO_PER_TAO } from '../../../../src-preload/contract/rao.ts';
import { openDesk } from '../../../support/call-desk.ts';
import { deskKeys, deskOn381, fund } from '../../../support/desk-on-381.ts';
import { temporaryFolder } from '../../../support/quarry-process.ts';
import { eventsOf, RUNTIME_381 } from '../../../support/runtime-381.ts';
import { Refused } from '../../../support/scripted-chain.ts';
import { TakingChain } from '../../../support/taking-chain.ts';
import { until } from '../../../support/until.ts';

const PAYEE = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
const TAO = String(RAO_PER_TAO);

let keys: Awaited<ReturnType<typeof deskKeys>>;
beforeAll(async () => {
  keys = await deskKeys();
  return keys.close;
});

const setUp = (now?: () => number) => deskOn381(keys, { ...(now && { now }) });

const transfer: ChainAction = { action: 'transfer', wallet: 'main', to: PAYEE, amount: TAO };

describe.skipIf(!RUNTIME_381)('a draft', () => {
  it('is good for one call, however often and at once it is sent', async () => {
    const { node, draft, send, store } = await setUp();
    const { id, typed } = await draft(transfer);
    const all = await Promise.all([1, 2, 3].map(() => send({ id, typed: typed! }).next()));
    const again = await send({ id, typed: typed! }).next();
    const [kept] = await store.page({ limit: 9 });
    for (const { value } of [...all, again]) expect(value).toMatchObject({ id: kept?.id, state: 'waiting' });
    expect(node.pool).toHaveLength(1);
    expect(await store.page({ limit: 9 })).toHaveLength(1);
    await expect(send({ id }).next()).rejects.toMatchObject({ field: 'typed' });
    expect(kept?.purpose).toBeNull();
  });

  it('keeps what its call is for', async () => {
    const { draft, desk, store } = await setUp();
    const { id, typed } = await draft(transfer);
    await desk.send({ id, password: null, typed, purpose: 'a video' }, new AbortController().signal).next();
    expect(await store.page({ limit: 9 })).toMatchObject([{ purpose: 'a video' }]);
  });

  it('that no longer says all there is to say is not sent', async () => {
    const { node, draft, send } = await setUp();
    const [first, second] = [await draft(transfer), await draft(transfer)];
    await send({ id: first.id, typed: first.typed! }).next();
    const changed = { code: 'BAD_REQUEST', message: expect.stringMatching(/have changed/) };
    await expect(send({ id: second.id, typed: second.typed! }).next()).rejects.toMatchObject(changed);
    expect(node.pool).toHaveLength(1);
    const third = await draft(transfer);
    expect(third.warnings.map(({ said }) => said?.text?.key)).toContain('chainCalls.warning.mayComeTwice');
    await send({ id: third.id, typed: third.typed! }).next();
    expect(node.pool).toHaveLength(2);
  });

  it('that costs more than is there is not even signed', async () => {
    const { node, draft, send, store } = await setUp();
    const { id, typed } = await draft({ ...transfer, amount: String(100n * RAO_PER_TAO) });
    const tooPoor = { code: 'CHAIN_REFUSED', message: expect.stringMatching(/not enough TAO/), field: 'amount' };
    await expect(send({ id, typed: typed! }).next()).rejects.toMatchObject(tooPoor);
    expect([node.pool, node.tried, await store.page({ limit: 9 })]).toEqual([[], [], []]);
  });

  it('is good for ten minutes, and 64 wait at most', async () => {
    let now = Date.now();
    const { draft, send } = await setUp(() => now);
    const gone = { code: 'BAD_REQUEST', message: expect.stringMatching(/ten minutes/) };
    const { id, typed } = await draft(transfer);
    now += 10 * 60_000;
    await expect(send({ id, typed: typed! }).next()).rejects.toMatchObject(gone);
    const first = await draft(transfer);
    for (let more = 0; more < 64; more++) await draft(transfer);
    await expect(send({ id: first.id, typed: typed! }).next()).rejects.toMatchObject(gone);
    await expect(send({ id: 'another' }).next()).rejects.toMatchObject(gone);
  });

  it('says so when more is sent than is there, and when it is most of it', async () => {
    const { draft } = await setUp();
    const some = await draft({ ...transfer, amount: String(40n * RAO_PER_TAO) });
    const most = await draft({ ...transfer, amount: String(60n * RAO_PER_TAO) });
    const all = await draft({ ...transfer, amount: String(100n * RAO_PER_TAO) });
    const told = [some, most, all].map(({ warnings }) => warnings.map(({ said }) => Object.values(said ?? {})[0]?.key));
    const [newPayee, mostOfIt] = ['chainCalls.warning.newPayee', 'chainCalls.warning.mostOfIt'];
    expect(told).toEqual([[newPayee], [newPayee, mostOfIt], ['chainCalls.warning.tooPoor', newPayee, mostOfIt]]);
    expect([some.typed, most.typed, all.typed]).toEqual(Array(3).fill(PAYEE.slice(-4)));
    expect(all.left).toBeNull();
  });
});

describe.skipIf(!RUNTIME_381)('what comes of a call', () => {
  const kept = async ({ store }: Awaited<ReturnType<typeof setUp>>) => (await store.page({ limit: 9 }))[0];

  it('is told until it is known, and known to whoever asks later', async () => {
    const all = await setUp();
    const { id, typed } = await all.draft(transfer);
    const told: SentCall[] = [];
    const listening = (async () => {
      for await (const call of all.send({ id, typed: typed! })) told.push(call);
    })();
    await until(() => expect(all.node.pool).toHaveLength(1));
    await until(() => expect(told).toHaveLength(1));
    all.node.make(all.node.pool);
    await listening;
    expect(told.map(({ state, block }) => [state, block])).toEqual([
      ['waiting', null],
      ['done', 6],
    ]);
    const again = await all.draft(transfer);
    expect([again.typed, again.warnings]).toEqual([undefined, []]);
  });

  it('is a failure that says why, where its block or the pool says so', async () => {
    const all = await setUp();
    const first = await all.draft(transfer);
    const sending = all.send({ id: first.id, typed: first.typed! });
    await sending.next();
    all.node.happenings = [[0, 'failed', 4]];
    all.node.make(all.node.pool);
    expect((await sending.next()).value).toMatchObject({ state: 'failed', block: 6, error: { code: 'CHAIN_REFUSED' } });
  });

  const inPool = (node: TakingChain) => {
    node.answers.author_submitExtrinsic = () => {
      throw new Refused(1_010, 'Invalid Transaction', 'Transaction is outdated');
    };
  };
  const tryingOut = (node: TakingChain) => {
    node.applied = '0x010001';
  };

  it.each([
    ['in its pool', inPool, /Another call/],
    ['when it tries it out', tryingOut, /not enough TAO/],
  ])(
    'is not known from an endpoint that refuses it %s: it was given the call, and may hand it in',
    async (_, refuse, words) => {
      const all = await setUp();
      const first = await all.draft(transfer);
      refuse(all.node);
      const sending = all.send({ id: first.id, typed: first.typed! });
      const refusal = { code: 'CHAIN_REFUSED', message: expect.stringMatching(words) };
      expect((await sending.next()).value).toMatchObject({ state: 'waiting', block: null, refusal });
      const again = await all.draft(transfer);
      expect(again.warnings.map(({ said }) => said?.text?.key)).toContain('chainCalls.warning.mayComeTwice');

      const { extrinsic } = (await kept(all))!;
      all.node.make([extrinsic]);
      expect((await sending.next()).value).toMatchObject({ state: 'done', block: 6, refusal });
    },
  );

  it('is kept before anybody hears of it: what cannot be kept is given to nobody', async () => {
    const all = await setUp();
    const { id, typed } = await all.draft(transfer);
    all.store.add = () => Promise.reject(new Error('disk full'));
    await expect(all.send({ id, typed: typed! }).next()).rejects.toThrow('disk full');
    expect([all.node.pool, all.node.tried]).toEqual([[], []]);
  });

  it('is looked for again once the chain is there again, where it was not known', async () => {
    const all = await setUp();
    const { id, typed } = await all.draft(transfer);
    await all.send({ id, typed: typed! }).next();
    const { id: call } = (await kept(all))!;
    await until(async () => expect(all.node.pool).toHaveLength(1));
    all.node.answers.state_getStorage = () => {
      throw new Refused(4_003, 'Client error: UnknownBlock: State already discarded');
    };
    all.node.make(all.node.pool);
    await until(async () => expect(await all.store.get(call)).toMatchObject({ state: 'unknown' }));
    all.node.answers.state_getStorage = () => eventsOf([[0, 'success']]);
    all.book.open();
    const done = { state: 'done', block: 6, error: null };
    await until(async () => expect(await all.store.get(call)).toMatchObject(done));
  });

  it('is looked for by whoever comes next, when a node ends before it is known', async () => {
    const own = await temporaryFolder();
    const node = await new TakingChain().open();
    onTestFinished(async () => {
      await node.close();
      await own.remove();
    });
    fund(node, keys.coldkey);
    const first = await openDesk(own.path, node.url, { wallets: keys.wallets });
    const { id, typed } = await first.desk.draft(chainActionSchema.parse(transfer));
    const listening = first.desk.send({ id, password: null, typed: typed! }, new AbortController().signal);
    await listening.next();
    await first.close();
    const next = await openDesk(own.path, node.url);
    onTestFinished(next.close);
    expect(await next.store.page({ limit: 9 })).toMatchObject([{ state: 'waiting' }]);
    next.book.open();
    node.make(node.pool);
    await until(async () => expect(await next.store.page({ limit: 9 })).toMatchObject([{ state: 'done', block: 6 }]));
  });

  it('cannot be told any more where nobody keeps what happened in its block', async () => {
    const all = await setUp();
    const { id, typed } = await all.draft(transfer);
    const sending = all.send({ id, typed: typed! });
    await sending.next();
    all.node.answers.state_getStorage = () => {
      throw new Refused(4_003, 'Client error: UnknownBlock: State already discarded');
    };
    all.node.make(all.node.pool);
    const hint = expect.stringContaining('wss://archive.chain.opentensor.ai:443');
    expect((await sending.next()).value).toMatchObject({ state: 'unknown', block: 6, error: { hint } });
  });
});
