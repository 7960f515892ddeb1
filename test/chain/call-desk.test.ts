import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CallBook } from '../../src-main/bittensor/calls/call-book.ts';
import { CallDesk } from '../../src-main/bittensor/calls/call-desk.ts';
import { sentCallView } from '../../src-main/bittensor/calls/sent-call-view.ts';
import { Chain } from '../../src-main/bittensor/chain/chain.ts';
import { networkOf } from '../../src-main/bittensor/chain/networks.ts';
import { ChainViews } from '../../src-main/bittensor/views/chain-views.ts';
import { Wallets } from '../../src-main/bittensor/wallet/wallets.ts';
import { BalanceSampleStore } from '../../src-main/store/bittensor/balance-samples.ts';
import { SentCallStore } from '../../src-main/store/bittensor/sent-calls.ts';
import { type Db, openDatabase } from '../../src-main/store/database.ts';
import { type ChainAction, chainActionSchema, type SentCall } from '../../src-preload/contract/chain.ts';
import { raoOf } from '../../src-preload/contract/rao.ts';
import { registrationLimit } from '../../src-preload/contract/registration-limit.ts';
import { LocalSubtensor, NETUID, SPEC } from '../support/local-subtensor.ts';
import { writeKey } from '../support/local-wallets.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

const PASSWORD = 'a long enough password';
const RATE_LIMIT = 5;
const TEMPO = 10;

describe.skipIf(!SPEC)('calls at the desk, on a real subtensor', () => {
  let node: LocalSubtensor;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let db: Db;
  let chain: Chain;
  let store: SentCallStore;
  let book: CallBook;
  let desk: CallDesk;
  let views: ChainViews;
  let rich: string;
  let payee: string;
  let hotkey: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const wallets = new Wallets({ folder: join(folder.path, 'wallets') });
    rich = await writeKey(wallets.folder, { wallet: 'rich', password: PASSWORD });
    hotkey = await writeKey(wallets.folder, { wallet: 'rich', hotkey: 'hot' });
    payee = await writeKey(wallets.folder, { wallet: 'payee' });
    node = await LocalSubtensor.start();
    await node.fund(rich, raoOf('100'));
    await node.store('u64', RATE_LIMIT, 'subtensorModule', 'weightsSetRateLimit', NETUID);
    await node.store('u16', TEMPO, 'subtensorModule', 'tempo', NETUID);
    await node.blocks(1);
    chain = new Chain({ network: networkOf('local', node.url), log: pino({ level: 'silent' }), lookMs: 200 });
    chain.open();
    await until(() => expect(['connected', 'behind']).toContain(chain.state.status));
    db = await openDatabase(join(folder.path, 'quarry.db'));
    store = new SentCallStore(db);
    book = new CallBook({ store, chain, log: pino({ level: 'silent' }) });
    desk = new CallDesk({ chain, wallets, store, book });
    views = new ChainViews({ chain, wallets, samples: new BalanceSampleStore(db) });
  }, 600_000);

  afterAll(async () => {
    await Promise.all([book?.close(), chain?.close()]);
    await db?.destroy();
    await node?.close();
    await folder?.remove();
  });

  const draft = (action: ChainAction) => desk.draft(chainActionSchema.parse(action));
  const account = async (address: string) => (await views.accounts([address]))[0]!;

  /** Sends what was drafted, and makes blocks until it is known what came of it. @returns what was told of it */
  async function sent(input: { id: string; password: string | null; typed?: string }): Promise<SentCall[]> {
    const told: SentCall[] = [];
    const all = async () => {
      for await (const call of desk.send(input, new AbortController().signal)) told.push(call);
    };
    await node.outcome(all());
    return told;
  }

  const open = { password: PASSWORD } as const;
  const transfer = (amount: string): ChainAction =>
    ({
      ...{ action: 'transfer', wallet: 'rich' },
      ...{ to: payee, amount: String(raoOf(amount)) },
    }) as ChainAction;

  it('a transfer says what leaves and what is left, wants the end of a new address, and is done once', async () => {
    const before = await account(rich);
    const drafted = await draft(transfer('1.5'));
    expect(drafted).toMatchObject({
      ...{ signedBy: 'coldkey', from: rich, sealing: 'nacl', moves: String(raoOf('1.5')) },
      ...{ call: { pallet: 'balances', name: 'transferKeepAlive' }, typed: payee.slice(-4) },
    });
    expect(drafted.call.args).toContainEqual({ name: 'dest', value: payee });
    expect(drafted.warnings.map(({ text }) => text)).toEqual([expect.stringMatching(/ever sent to this address/)]);
    expect(BigInt(drafted.left ?? 0)).toBe(BigInt(before.spendable) - raoOf('1.5') - BigInt(drafted.fee));
    const { id } = drafted;
    await expect(sent({ id, ...open })).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'typed' });
    await expect(sent({ id, ...open, typed: 'nope' })).rejects.toMatchObject({ field: 'typed' });
    const wrong = { id, password: 'another password', typed: payee.slice(-4) };
    await expect(sent(wrong)).rejects.toMatchObject({ code: 'UNAUTHORIZED', field: 'password' });
    expect(await store.page({ limit: 10 })).toEqual([]);
    const told = await sent({ id, ...open, typed: payee.slice(-4) });
    expect(told.map(({ state }) => state)).toEqual(['waiting', 'done']);
    const [, done] = told;
    const after = await account(rich);
    expect(BigInt(before.free) - BigInt(after.free)).toBe(raoOf('1.5') + BigInt(done!.fee));
    expect((await account(payee)).free).toBe(String(raoOf('1.5')));
    expect(await sent({ id, ...open, typed: payee.slice(-4) })).toEqual([done]);
    const again = await draft(transfer('0.5'));
    expect([again.typed, again.warnings]).toEqual([undefined, []]);
    expect((await draft(transfer('60'))).typed).toBe(payee.slice(-4));
  });

  it('what cannot be paid is drafted with a word on it, and refused before it is sent', async () => {
    const drafted = await draft(transfer('1000'));
    expect(drafted.left).toBeNull();
    expect(drafted.warnings.at(0)?.text).toMatch(/not enough on this account/);
    const input = { id: drafted.id, ...open, typed: payee.slice(-4) };
    await expect(sent(input)).rejects.toMatchObject({
      code: 'CHAIN_REFUSED',
      message: expect.stringMatching(/not enough TAO/),
    });
    expect(await store.page({ limit: 10 })).toHaveLength(1);
    await expect(draft({ ...transfer('1'), amount: '9'.repeat(20) } as ChainAction)).rejects.toMatchObject({
      field: 'amount',
    });
    await expect(draft(transfer('0'))).rejects.toMatchObject({ field: 'amount' });
    await expect(draft({ ...transfer('1'), to: 'nobody' } as ChainAction)).rejects.toMatchObject({ field: 'to' });
    await expect(draft({ ...transfer('1'), wallet: 'nobody' } as ChainAction)).rejects.toMatchObject({
      field: 'wallet',
    });
  });

  const ofHot = { wallet: 'rich', hotkey: 'hot', netuid: NETUID } as const;

  it('a registration keeps to its limit, also when it becomes dearer meanwhile', async () => {
    const price = (await chain.registrationCost(NETUID))!;
    await expect(draft({ action: 'register', ...ofHot, limitPrice: String(price - 1n) })).rejects.toMatchObject({
      ...{ code: 'CHAIN_REFUSED', field: 'limitPrice' },
    });
    const drafted = await draft({ action: 'register', ...ofHot });
    expect(drafted).toMatchObject({
      now: String(price),
      moves: String(registrationLimit(price)),
      typed: String(NETUID),
    });
    await node.store('u64', price * 2n, 'subtensorModule', 'burn', NETUID);
    await node.blocks(1);
    const input = { id: drafted.id, ...open, typed: String(NETUID) };
    await expect(sent(input)).rejects.toMatchObject({ code: 'CHAIN_REFUSED', field: 'limitPrice' });
    await node.store('u64', price, 'subtensorModule', 'burn', NETUID);
    await node.blocks(1);
    const before = await account(rich);
    const [, done] = await sent(input);
    const after = await account(rich);
    expect(done).toMatchObject({ state: 'done', to: hotkey, netuid: NETUID });
    expect(BigInt(before.free) - BigInt(after.free)).toBe(BigInt(done!.moves) + BigInt(done!.fee));
    await expect(draft({ action: 'register', ...ofHot })).rejects.toThrow(/registered on the subnet already/);
    const subnet = await views.subnet(NETUID);
    expect(subnet?.rows[1]).toMatchObject({ hotkey, coldkey: rich, own: { wallet: 'rich', hotkey: 'hot' } });
    expect(await views.subnet(99)).toBeNull();
    expect((await views.subnets()).map(({ netuid, neurons, own }) => [netuid, neurons, own])).toContainEqual([
      NETUID,
      2,
      1,
    ]);
  });

  const hotkeyCall = async (action: ChainAction) => sent({ id: (await draft(action)).id, password: null });

  it('an axon is announced, and a neuron says something, without a password', async () => {
    await hotkeyCall({ action: 'serve', ...ofHot, ip: '203.0.113.9', port: 8_091 });
    expect((await views.subnet(NETUID))?.rows[1]?.axon).toEqual({ ip: '203.0.113.9', port: 8_091 });
    const inside = await draft({ action: 'serve', ...ofHot, ip: '192.168.1.4', port: 8_091 });
    expect(inside.warnings[0]?.text).toMatch(/private network/);
    await expect(draft({ action: 'serve', ...ofHot, ip: 'x', port: 1 })).rejects.toMatchObject({ field: 'ip' });
    await hotkeyCall({ action: 'commitment', ...ofHot, text: 'hello' });
    const said = await chain.commitments(NETUID, [hotkey]);
    expect(String(said.get(hotkey)?.data[0])).toBe('hello');
  });

  it('weights are set openly, or committed to and revealed, by whoever comes after', async () => {
    const weights = [
      { uid: 0, weight: 1 },
      { uid: 1, weight: 3 },
    ];
    const set: ChainAction = { action: 'weights', ...ofHot, weights };
    await node.blocks(RATE_LIMIT + 1);
    const [, open] = await hotkeyCall(set);
    expect(open).toMatchObject({ state: 'done', action: 'weights' });
    await expect(draft(set)).rejects.toMatchObject({ code: 'CHAIN_REFUSED', hint: expect.stringMatching(/block/) });
    await expect(draft({ action: 'reveal', ...ofHot })).rejects.toThrow(/No weights were committed/);

    await node.store('bool', true, 'subtensorModule', 'commitRevealWeightsEnabled', NETUID);
    await node.blocks(RATE_LIMIT + 1);
    const drafted = await draft(set);
    expect(drafted.call.name).toBe('commitWeights');
    expect(drafted.warnings[0]?.text).toMatch(/once they are revealed/);
    await sent({ id: drafted.id, password: null });
    await expect(draft({ action: 'reveal', ...ofHot })).rejects.toMatchObject({ hint: expect.stringMatching(/block/) });
    await node.blocks(TEMPO + 1);
    const [, revealed] = await hotkeyCall({ action: 'reveal', ...ofHot });
    expect(revealed).toMatchObject({ state: 'done', action: 'reveal' });
    await expect(draft({ action: 'reveal', ...ofHot })).rejects.toThrow(/No weights were committed/);
  });

  it('what this runtime cannot do is refused before anybody types a password', async () => {
    const stake: ChainAction = { action: 'stake', wallet: 'rich', hotkey, netuid: NETUID, amount: '1000000000' };
    await expect(draft(stake)).rejects.toMatchObject({
      ...{ code: 'CHAIN_REFUSED', message: expect.stringMatching(/no call addStakeLimit/) },
    });
  });

  it('all of it is told, the newest first', async () => {
    const calls = (await store.page({ limit: 50 })).map(sentCallView);
    expect(calls.map(({ action, state }) => `${action} ${state}`)).toEqual([
      ...['reveal done', 'weights done', 'weights done', 'commitment done', 'serve done'],
      ...['register done', 'transfer done'],
    ]);
    expect(calls.every(({ network, hash }) => network === 'local' && /^0x[0-9a-f]{64}$/.test(hash))).toBe(true);
  });
});
