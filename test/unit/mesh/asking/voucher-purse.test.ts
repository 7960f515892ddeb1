import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type VoucherBody, voucherBytes } from '../../../../src-main/credits/voucher.ts';
import { VoucherPurse } from '../../../../src-main/mesh/asking/voucher-purse.ts';
import type { VouchMessage } from '../../../../src-main/mesh/inference/messages.ts';
import { MemoryClientCredits } from '../../../support/memory-credits.ts';
import { randomIdentity, testLog } from '../../../support/mesh-node.ts';
import { WirelessNetwork, WirelessPeer } from '../../../support/wireless-peer.ts';

const [me, worker] = [randomIdentity(), randomIdentity()];
const never = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

/** Somebody who may be asked, and answers when the test says so. */
function friend(network: WirelessNetwork) {
  const identity = randomIdentity();
  const peer = new WirelessPeer(identity.id);
  network.join(peer);
  const asked = () => peer.sent.filter((message): message is VouchMessage => message.type === 'vouch');
  const sign = (over: Partial<VoucherBody> = {}, by = identity) => {
    const [{ kind, worker, credits }] = asked().slice(-1) as [VouchMessage];
    const expires = Date.now() + 600_000;
    const own = { kind, by: by.id, worker, client: me.id, credits, serial: 'a'.repeat(32), expires };
    const body = { ...own, ...over };
    return { body, sig: by.sign(voucherBytes(body)) };
  };
  const answer = (voucher = sign()) =>
    peer.say({ v: 2, type: 'voucher', requestId: asked().at(-1)?.requestId ?? '', voucher });
  return { ...peer, id: identity.id, peer, asked, sign, answer };
}

function open() {
  const network = new WirelessNetwork();
  const credits = new MemoryClientCredits(me);
  const told: [by: string, vouched: boolean][] = [];
  const onAsked = (by: string, vouched: boolean) => void told.push([by, vouched]);
  const options = { network: network.network, client: me.id, credits, onAsked, now: Date.now, log: testLog };
  const purse = new VoucherPurse(options);
  purse.open();
  return { network, credits, purse, told };
}

describe('vouchers', () => {
  it('are asked for at once, and what they move is on the books before they are used', async () => {
    const { network, credits, purse } = open();
    const [a, b] = [friend(network), friend(network)];
    credits.owed.set(a.id, 9);
    const got = purse.claims(
      worker.id,
      [
        { by: a.id, credits: 4 },
        { by: b.id, credits: 2 },
      ],
      never,
    );
    expect([a.asked(), b.asked()]).toMatchObject([
      [{ kind: 'claim', worker: worker.id, credits: 4 }],
      [{ kind: 'claim', worker: worker.id, credits: 2 }],
    ]);
    b.answer();
    a.answer();
    expect((await got).map(({ body }) => [body.by, body.credits])).toEqual([
      [a.id, 4],
      [b.id, 2],
    ]);
    expect([credits.owedBy(a.id), credits.owedBy(worker.id)]).toEqual([5, 6]);
  });

  it('are not waited for longer than a second, and what comes later is there for the next request', async () => {
    const { network, credits, purse, told } = open();
    const [a, b] = [friend(network), friend(network)];
    const got = purse.claims(
      worker.id,
      [
        { by: a.id, credits: 1 },
        { by: b.id, credits: 1 },
      ],
      never,
    );
    a.answer();
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await got).map(({ body }) => body.by)).toEqual([a.id]);
    const inTime = [
      [a.id, true],
      [b.id, false],
    ];
    expect(told).toEqual(inTime);
    b.answer();
    expect(told).toEqual([...inTime, [b.id, true]]);
    await vi.advanceTimersByTimeAsync(0);
    expect(credits.owedBy(worker.id)).toBe(2);
    expect(purse.take(worker.id).map(({ body }) => body.by)).toEqual([b.id]);
    expect(purse.take(worker.id)).toEqual([]);
  });

  it('are given up when the request is, when their peer leaves, or says no', async () => {
    const { network, purse, told } = open();
    const [a, b, c] = [friend(network), friend(network), friend(network)];
    const gone = new AbortController();
    const shares = (by: string) => [{ by, credits: 1 }];
    const got = [purse.claims(worker.id, shares(a.id), gone.signal), purse.claims(worker.id, shares(b.id), never)];
    got.push(purse.word(worker.id, c.id, 3, never));
    expect(c.asked()).toMatchObject([{ kind: 'word', credits: 3 }]);
    gone.abort();
    network.leave(b.peer);
    c.peer.say({ v: 2, type: 'voucher', requestId: c.asked()[0]?.requestId ?? '', refused: 'not owed' });
    expect(await Promise.all(got)).toEqual([[], [], []]);
    expect(told).toEqual([
      [b.id, false],
      [c.id, false],
    ]);
    expect(await purse.claims(worker.id, shares(b.id), never)).toEqual([]);
    await purse.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that come back are kept while they are good', () => {
    const { network, purse } = open();
    const a = friend(network);
    void purse.claims(worker.id, [{ by: a.id, credits: 1 }], never);
    const voucher = a.sign();
    purse.keep(worker.id, [voucher]);
    expect(purse.take(worker.id)).toEqual([voucher]);
    purse.keep(worker.id, [voucher]);
    vi.setSystemTime(voucher.body.expires - 60_000);
    expect(purse.take(worker.id)).toEqual([]);
  });

  it.each<[string, Partial<VoucherBody>, string]>([
    ['for more', { credits: 5 }, 'false claim'],
    ['for another', { client: worker.id }, 'false claim'],
    ['elsewhere', { worker: me.id }, 'false claim'],
    ['of another kind', { kind: 'word' }, 'false claim'],
  ])('%s than were asked for are an offence', async (_, over, offence) => {
    const { network, credits, purse } = open();
    const a = friend(network);
    const got = purse.claims(worker.id, [{ by: a.id, credits: 4 }], never);
    a.answer(a.sign(over));
    expect(await got).toEqual([]);
    expect(a.peer.offences).toEqual([`${offence}: voucher`]);
    expect(credits.owed.size).toBe(0);
  });

  it.each([
    ['over', 0],
    ['as good as over', 60_000],
    ['good for longer than they may be', 720_001],
  ])('that are %s are none, and no offence: a clock may be wrong', async (_, ms) => {
    const { network, credits, purse, told } = open();
    const a = friend(network);
    const got = purse.claims(worker.id, [{ by: a.id, credits: 4 }], never);
    a.answer(a.sign({ expires: Date.now() + ms }));
    expect(await got).toEqual([]);
    expect([a.peer.offences, told, credits.owed.size]).toEqual([[], [[a.id, false]], 0]);
  });

  it.each([60_001, 720_000])('that end in %i ms are taken: clocks may differ', async (ms) => {
    const { network, purse } = open();
    const a = friend(network);
    const got = purse.claims(worker.id, [{ by: a.id, credits: 4 }], never);
    a.answer(a.sign({ expires: Date.now() + ms }));
    expect(await got).toHaveLength(1);
  });

  it('with a wrong signature are one, too', async () => {
    const { network, purse } = open();
    const a = friend(network);
    const got = purse.claims(worker.id, [{ by: a.id, credits: 4 }], never);
    a.answer({ ...a.sign(), sig: '0'.repeat(128) });
    expect(await got).toEqual([]);
    expect(a.peer.offences).toEqual(['wrong signature: voucher']);
  });
});
