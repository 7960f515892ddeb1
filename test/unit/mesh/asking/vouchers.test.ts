import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Voucher, type VoucherBody, voucherBytes } from '../../../../src-main/credits/voucher.ts';
import type { AnswerEvent } from '../../../../src-main/inference/backend.ts';
import { MeshClient } from '../../../../src-main/mesh/asking/client.ts';
import type { Prompt, VouchMessage } from '../../../../src-main/mesh/inference/messages.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { MemoryClientCredits } from '../../../support/memory-credits.ts';
import { randomIdentity, testLog } from '../../../support/mesh-node.ts';
import { passing } from '../../../support/passing.ts';
import { WirelessNetwork, WirelessPeer } from '../../../support/wireless-peer.ts';
import { WirelessWorker } from '../../../support/wireless-worker.ts';

/*
 * A client to whom the worker owes nothing and gives nothing: it is served for what others let it have, and some of those are hostile, or
 * the worker is. Each request costs two credits; a voucher that nobody asks for more is about four.
 */

const COST = 2;
const MINUTE = 60_000;
const [me, salt] = [randomIdentity(), '0'.repeat(32)];

const closing: (() => void | Promise<void>)[] = [];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  vi.useRealTimers();
});

const FAULTS = ['away', 'silent', 'refuses', 'signs what nothing covers', 'signs what is over'] as const;
type Manner = 'honest' | (typeof FAULTS)[number];

function setUp() {
  const network = new WirelessNetwork();
  const credits = new MemoryClientCredits(me);
  const worker = new WirelessWorker();
  const client = new MeshClient({ network: network.network, identity: me, credits, attempts: 1, log: testLog });
  network.join(worker);
  client.open();
  closing.push(
    () => worker.close(),
    () => passing(client.close()),
  );
  const { id } = worker.peer;
  const ways: string[] = [];
  credits.ways.set(id, ways);
  const covered = new Set<string>();
  const brought: Voucher[] = [];
  const paid: AnswerEvent[] = [];
  let owed = 0;

  /** Takes each good voucher once, if the price comes together; else it says that nothing pays. */
  worker.refusal = ({ vouchers = [] }: Prompt) => {
    brought.push(...vouchers);
    const good = vouchers.filter(({ body }) => covered.has(body.serial));
    const sum = good.reduce((total, { body }) => total + body.credits, owed);
    if (sum < COST) return 'NO_CREDIT';
    for (const { body } of good) covered.delete(body.serial);
    owed = sum - COST;
    return undefined;
  };

  /** Somebody who owes the client so much. @returns how often it was asked */
  function debtor(manner: Manner, owes: number): { asked: number } {
    const identity = randomIdentity();
    const seen = { asked: 0 };
    ways.push(identity.id);
    credits.owed.set(identity.id, owes);
    if (manner === 'away') return seen;
    const peer = new WirelessPeer(identity.id, ['client']);
    const sign = ({ kind, worker, credits }: VouchMessage): Voucher => {
      const expires = manner === 'signs what is over' ? 0 : Date.now() + 10 * MINUTE;
      const serial = randomBytes(16).toString('hex');
      const body: VoucherBody = { kind, by: identity.id, worker, client: me.id, credits, serial, expires };
      if (manner === 'honest') covered.add(serial);
      return { body, sig: identity.sign(voucherBytes(body)) };
    };
    peer.onSent((message) => {
      if (message.type !== 'vouch') return;
      seen.asked++;
      const said = manner === 'refuses' ? { refused: 'not owed' } : { voucher: sign(message) };
      if (manner === 'silent') return;
      setTimeout(() => peer.say({ v: 2, type: 'voucher', requestId: message.requestId, ...said }), 5);
    });
    network.join(peer);
    return seen;
  }

  /** @returns «served», or the code that it failed with */
  async function ask(maxTokens = 256): Promise<string> {
    worker.beat();
    worker.say({ v: 2, type: 'terms', owed, gift: 0, salt, voices: ['0'.repeat(16)] });
    const answer = async () => {
      for await (const event of client.generate({ input: { prompt: 'hello' }, maxTokens }, { deadlineMs: MINUTE })) {
        if (event.type === 'paid') paid.push(event);
      }
      return 'served';
    };
    const said = await passing(answer().catch((error: unknown) => QuarryError.from(error).code));
    await vi.advanceTimersByTimeAsync(2_000);
    return said;
  }

  return { client, worker, brought, paid, debtor, ask };
}

describe('the three who owe most', () => {
  it.each(FAULTS.map((fault) => [fault, fault === 'away' ? 0 : 3] as const))(
    'shut nobody out, of the manner «%s»: that costs %i requests',
    async (fault, most) => {
      const { debtor, ask } = setUp();
      const hostile = [100, 90, 80].map((owes) => debtor(fault, owes));
      for (let count = 0; count < 5; count++) debtor('honest', 50);
      const said = [];
      for (let count = 0; count < 12; count++) said.push(await ask());
      expect(said.filter((code) => code !== 'served')).toHaveLength(most);
      expect(said.slice(most)).not.toContain('NO_CREDIT');
      expect(hostile.map(({ asked }) => asked)).toEqual(Array(3).fill(most / 3));
    },
  );
});

it('what a worker has turned down comes to it once, and is held against who signed it there: others are asked', async () => {
  const { debtor, ask, brought } = setUp();
  debtor('signs what nothing covers', 100);
  const honest = debtor('honest', 50);
  expect(await ask()).toBe('NO_CREDIT');
  for (let count = 0; count < 8; count++) expect(await ask()).toBe('served');
  expect(honest.asked).toBe(4);
  const serials = brought.map(({ body }) => body.serial);
  expect(new Set(serials).size).toBe(serials.length);
});

describe('a worker that lures for vouchers', () => {
  it.each([
    'NO_CREDIT',
    'RATE_LIMIT',
    'QUEUE_FULL',
    'OVERLOADED',
    'BAD_REQUEST',
    'ENGINE_CRASHED',
    'DEADLINE',
  ] as const)('gets one of each debtor in ten minutes, when it says %s', async (code) => {
    const { debtor, ask, worker } = setUp();
    const debtors = [debtor('honest', 50), debtor('honest', 40)];
    worker.refusal = () => code;
    for (let count = 0; count < 12; count++) expect(await ask()).not.toBe('served');
    expect(debtors.map(({ asked }) => asked)).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(11 * MINUTE);
    for (let count = 0; count < 6; count++) await ask();
    expect(debtors.map(({ asked }) => asked)).toEqual([2, 2]);
  });

  it.each(['accepts and is silent', 'says nothing at all', 'honest'] as const)(
    'gets no more, of the manner «%s» and with empty answers',
    async (manner) => {
      const { debtor, ask, worker } = setUp();
      const debtors = [debtor('honest', 50), debtor('honest', 40)];
      Object.assign(worker, { manner, text: '', refusal: () => undefined });
      for (let count = 0; count < 4; count++) await ask();
      expect(debtors.map(({ asked }) => asked)).toEqual([1, 1]);
    },
  );
});

it('what the vouchers of others paid for is told as paid by them', async () => {
  const { paid, worker, debtor, ask } = setUp();
  worker.funds = 'claim';
  debtor('honest', 50);
  for (let count = 0; count < 2; count++) expect(await ask()).toBe('served');
  // A voucher is for four: what the first request leaves of it, the worker owes when the second comes.
  const from = { type: 'paid', worker: worker.peer.id, credits: COST };
  expect(paid).toEqual([
    { ...from, from: 'vouchers' },
    { ...from, from: 'claim' },
  ]);
});

it('claims that do not make the price are not brought, nor lost, and nobody is blamed who signed', async () => {
  const { debtor, ask, brought } = setUp();
  const [silent, honest] = [debtor('silent', 3), debtor('honest', 2)];
  expect(await ask(3 * 256)).toBe('NO_CREDIT');
  expect([silent.asked, honest.asked, brought]).toEqual([1, 1, []]);
  expect(await ask()).toBe('served'); // for less, with what is there
  expect([silent.asked, honest.asked, brought.length]).toEqual([1, 1, 1]);
});

it('a worker that had no room is brought the same once more, and has turned nothing down', async () => {
  const { debtor, ask, worker, brought } = setUp();
  const honest = debtor('honest', 4);
  const takes = worker.refusal;
  worker.refusal = ({ vouchers = [] }) => {
    brought.push(...vouchers);
    return 'QUEUE_FULL';
  };
  expect(await ask()).not.toBe('served');
  worker.refusal = takes;
  expect(await ask()).toBe('served');
  expect([honest.asked, new Set(brought.map(({ body }) => body.serial)).size]).toEqual([1, 1]);
});

it('terms of one worker count once a second, and four at once', () => {
  const { worker, client } = setUp();
  const say = (owed: number) => worker.say({ v: 2, type: 'terms', owed, gift: 0, salt, voices: [] });
  for (let owed = 1; owed <= 9; owed++) say(owed);
  expect(client.workers()[0]?.terms?.owed).toBe(4);
  vi.setSystemTime(Date.now() + 1_000);
  say(10);
  say(11);
  expect(client.workers()[0]?.terms?.owed).toBe(10);
});
