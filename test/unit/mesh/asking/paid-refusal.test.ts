import { afterEach, describe, expect, it } from 'vitest';
import { claim } from '../../../../src-main/credits/books/accounts.ts';
import { MeshClient } from '../../../../src-main/mesh/asking/client.ts';
import type { InferenceError, InferenceMessage } from '../../../../src-main/mesh/inference/messages.ts';
import { balanceOf } from '../../../../src-main/store/credits/ledger.ts';
import { openCreditNode, serveTo, testIdentity } from '../../../support/credit-nodes.ts';
import { testLog } from '../../../support/mesh-node.ts';
import { WirelessNetwork, WirelessPeer } from '../../../support/wireless-peer.ts';
import { WirelessWorker } from '../../../support/wireless-worker.ts';
import { workerStatus } from '../../../support/worker-status.ts';

/** How a worker gives up what it has taken, when the first credit is signed. */
type Way = InferenceError['code'] | 'leaves' | 'sends a piece without text, and leaves';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A client on its real books, honest workers that give, and one that should owe it much, takes what it asks and serves nothing. */
async function openMesh(way: Way, honest: number) {
  const node = await openCreditNode(1, { clock: { now: Date.now() } });
  const liar = testIdentity(2);
  await serveTo(node, liar, 9);
  const wireless = new WirelessNetwork();
  const client = new MeshClient({
    network: wireless.network,
    identity: node.identity,
    credits: node.book.client,
    findWorkerMs: 100,
    random: () => 0,
    log: testLog,
  });
  closers.push(
    () => node.close(),
    () => client.close(),
  );
  client.open();
  const { worker, prompts } = refusing(liar, way, (gone) => wireless.leave(gone));
  wireless.join(worker);
  let seq = 0;
  const beat = () => {
    wireless.join(worker);
    worker.say(workerStatus(liar, { seq: seq++ }));
  };
  beat();
  for (let count = 0; count < honest; count++) {
    const other = new WirelessWorker();
    closers.push(() => other.close());
    wireless.join(other);
    other.beat();
  }
  const ask = async () => {
    try {
      for await (const event of client.generate({ input: { prompt: 'x' }, maxTokens: 200 }, { deadlineMs: 5_000 }))
        if (event.type === 'done') return 'served';
    } catch {
      return 'refused'; // however it says that
    }
    return 'ended';
  };
  return { ask, beat, prompts, owed: () => balanceOf(node.db, claim(liar.id)), verify: () => node.book.verify() };
}

function refusing({ id }: { id: string }, way: Way, leave: (worker: WirelessPeer) => void) {
  const worker = new WirelessPeer(id);
  let prompts = 0;
  const say = (message: InferenceMessage) => queueMicrotask(() => worker.say(message));
  worker.onSent((message) => {
    if (message.type !== 'prompt' && message.type !== 'pledge') return;
    const { requestId } = message;
    if (message.type === 'prompt') {
      prompts++;
      const funds = { tier: 'newcomer', funds: 'claim' } as const;
      say({ v: 2, type: 'queue-status', requestId, position: 0, etaMs: 0, ...funds });
    } else if (way === 'leaves') {
      leave(worker);
      (worker.peer as unknown as { emit(event: string, why: string): void }).emit('close', 'gone');
    } else if (way === 'sends a piece without text, and leaves') {
      say({ v: 2, type: 'chunk', requestId, seq: 0, text: '', tokens: 200 });
      say({ v: 2, type: 'inference_error', requestId, code: 'DEADLINE', message: 'over', retry: true });
    } else say({ v: 2, type: 'inference_error', requestId, code: way, message: way, retry: true, retryAfterMs: 0 });
  });
  return { worker, prompts: () => prompts };
}

const WAYS: Way[] = [
  'RATE_LIMIT',
  'BAD_REQUEST',
  'CONTEXT_TOO_LONG',
  'NO_CREDIT',
  'DEADLINE',
  'CANCELLED',
  'INTERNAL',
  'leaves',
  'sends a piece without text, and leaves',
];

describe('a worker that takes a request and does not serve it', () => {
  it.each(WAYS)('is owed nothing for that, and is not asked first again: %s', async (way) => {
    const { ask, beat, prompts, owed, verify } = await openMesh(way, 1);
    for (let asked = 0; asked < 4; asked++) {
      expect(await ask()).toBe('served');
      beat();
    }
    expect(prompts()).toBe(1);
    expect(await owed()).toBe(0);
    expect((await verify()).problems).toEqual([]);
  });
});
