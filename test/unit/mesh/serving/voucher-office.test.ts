import { expect, it, vi } from 'vitest';
import { voucherBytes } from '../../../../src-main/credits/voucher.ts';
import type { VoucherMessage } from '../../../../src-main/mesh/inference/messages.ts';
import { VoucherOffice } from '../../../../src-main/mesh/serving/voucher-office.ts';
import { verify } from '../../../../src-main/mesh/transport/identity.ts';
import { nextRequestId } from '../../../support/credit-nodes.ts';
import { MemoryVouchers } from '../../../support/memory-credits.ts';
import { randomIdentity, testLog } from '../../../support/mesh-node.ts';
import { WirelessNetwork, WirelessPeer } from '../../../support/wireless-peer.ts';

const worker = randomIdentity().id;

function setUp() {
  const identity = randomIdentity();
  const credits = new MemoryVouchers(identity);
  const { network, join } = withJoin();
  const clock = { now: 1_000_000 };
  const office = new VoucherOffice({ network, credits, now: () => clock.now, log: testLog });
  office.open();
  const client = new WirelessPeer(randomIdentity().id, ['client']);
  join(client);
  const ask = () =>
    client.peer.emit('message', { v: 2, type: 'vouch', requestId: nextRequestId(), kind: 'claim', worker, credits: 3 });
  const answers = () => client.sent.filter((message): message is VoucherMessage => message.type === 'voucher');
  return { identity, credits, clock, office, client, ask, answers };
}

function withJoin() {
  const wireless = new WirelessNetwork();
  return { network: wireless.network, join: (peer: WirelessPeer) => wireless.join(peer) };
}

it('who is owed something is vouched for, with the signature of this node', async () => {
  const { identity, credits, client, ask, answers } = setUp();
  credits.vouchesFor.add(client.peer.id);
  ask();
  await expect.poll(answers).toHaveLength(1);
  const [{ voucher } = expect.unreachable()] = answers();
  const said = { kind: 'claim', by: identity.id, worker, client: client.peer.id, credits: 3 };
  expect(voucher?.body).toMatchObject(said);
  expect(voucher && verify(identity.id, voucherBytes(voucher.body), voucher.sig)).toBe(true);
});

it('others hear that they are not, and the books’ failures are told to nobody', async () => {
  const { credits, ask, answers } = setUp();
  ask();
  await expect.poll(answers).toMatchObject([{ refused: 'not owed' }]);
  vi.spyOn(credits, 'vouch').mockRejectedValue(new Error('/secret/path'));
  ask();
  await expect.poll(answers).toMatchObject([{}, { refused: 'failed' }]);
});

it('a client is signed three a second, refused beyond, and dropped when it does not stop', async () => {
  const { clock, client, ask, answers, office } = setUp();
  const asked = (count: number) => {
    for (let index = 0; index < count; index++) ask();
  };
  asked(12 + 50);
  await office.close();
  const refusals = () => answers().map(({ refused }) => refused);
  expect(refusals().filter((why) => why === 'not owed')).toHaveLength(12);
  expect(refusals().filter((why) => why === 'too many')).toHaveLength(50);
  expect(client.offences).toEqual([]);
  const again = setUp();
  for (let index = 0; index < 12 + 50 + 1; index++) again.ask();
  expect(again.client.offences).toEqual(['too many vouchers: asked for without end']);
  again.clock.now = clock.now + 1_000;
  for (let index = 0; index < 3; index++) again.ask();
  await again.office.close();
  expect(again.answers().filter(({ refused }) => refused === 'not owed')).toHaveLength(15);
});

it('nothing is answered after the end', async () => {
  const { office, ask, client } = setUp();
  await office.close();
  ask();
  expect(client.sent).toEqual([]);
});
