import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TokenBucket } from '../../../src-main/base/token-bucket.ts';
import { claim, had, ISSUE_GIFT, issueService, OWN_SPENT, owes } from '../../../src-main/credits/books/accounts.ts';
import { openCreditBook } from '../../../src-main/credits/ledger/credit-book.ts';
import { costOf } from '../../../src-main/credits/price.ts';
import { Attempt, DEFAULT_PATIENCE } from '../../../src-main/mesh/asking/attempt.ts';
import type { InferenceMessage } from '../../../src-main/mesh/inference/messages.ts';
import { Dispatcher } from '../../../src-main/mesh/serving/dispatcher.ts';
import { verify } from '../../../src-main/mesh/transport/identity.ts';
import type { Peer } from '../../../src-main/mesh/transport/peer.ts';
import { Refusals } from '../../../src-main/mesh/transport/refusals.ts';
import { balanceOf, entriesUnder } from '../../../src-main/store/ledger.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type CreditNode, openCreditNode, oweTo } from '../../support/credit-nodes.ts';
import { testLog } from '../../support/mesh-node.ts';
import { ScriptedBackend } from '../../support/scripted-backend.ts';

/*
 * One request between the real client and the real worker, on their real books, in whatever order messages come, whoever lies,
 * cancels, fails, refuses, leaves or dies, and whenever. What a pledge promises: nobody loses more than one credit.
 */

const MAX_TOKENS = 1_100;
/** A word is four bytes, so that the client believes a token for each. */
const WORD = 'abc ';

type Step =
  | { do: 'generate'; tokens: number }
  | { do: 'to worker' | 'to client'; messages: number }
  /** The client's pledges get lost, change their sum, or come twice. */
  | { do: 'lose pledges' | 'raise pledges' | 'repeat pledges' }
  /** The worker counts more tokens than there are. */
  | { do: 'overcount' }
  | { do: 'cancel' | 'leave' | 'fail' | 'kill worker' | 'kill client' }
  /** The worker takes the request, and refuses it after all. */
  | { do: 'refuse'; code: (typeof REFUSALS)[number] };

const REFUSALS = [
  'RATE_LIMIT',
  'BAD_REQUEST',
  'CONTEXT_TOO_LONG',
  'OVERLOADED',
  'MODEL_NOT_FOUND',
  'INTERNAL',
] as const;

const many = fc.integer({ min: 1, max: 400 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('generate' as const), tokens: many }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('to worker', 'to client'), messages: many }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('lose pledges', 'raise pledges', 'repeat pledges') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('overcount') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('cancel', 'leave', 'fail', 'kill worker', 'kill client') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refuse' as const), code: fc.constantFrom(...REFUSALS) }) },
) as fc.Arbitrary<Step>;

const turn = () => new Promise((resolve) => setImmediate(resolve));

class Exchange {
  readonly worker: CreditNode;
  readonly client: CreditNode;
  readonly #toWorker: InferenceMessage[] = [];
  readonly #toClient: InferenceMessage[] = [];
  readonly #backend = new ScriptedBackend({ tokens: Array.from({ length: MAX_TOKENS }, () => WORD) });
  readonly #dispatcher: Dispatcher;
  readonly #attempt: Attempt;
  readonly #workersEnd: Peer<InferenceMessage>;
  readonly #clientsEnd: Peer<InferenceMessage>;
  #generated = Promise.withResolvers<void>();
  #mayGenerate = 0;
  #fails = false;
  #dead = false;
  #lies = new Set<string>();
  /** Tokens that have really reached the client, and those that were sent to it. */
  received = 0;
  sent = 0;
  /** How it ended for the client. */
  ended = '';

  constructor(worker: CreditNode, client: CreditNode) {
    this.worker = worker;
    this.client = client;
    this.#backend.before = async (index) => {
      while (index >= this.#mayGenerate && !this.#fails) await this.#generated.promise;
      if (this.#fails) throw new QuarryError({ code: 'ENGINE_CRASHED', message: 'it crashed', retryable: true });
    };
    this.#dispatcher = new Dispatcher({
      worker: worker.identity.id,
      backend: this.#backend,
      credits: worker.book.worker,
      health: () => ({ score: 90, state: 'idle', capacity: 100, accepting: true }),
      maxDeadlineMs: 600_000,
      refusals: new Refusals(testLog),
      onChange: () => undefined,
      now: () => worker.clock.now,
      log: testLog,
    });
    const end = (id: string, out: InferenceMessage[]) =>
      Object.assign(new EventEmitter(), {
        id,
        host: '127.0.0.1',
        send: (message: InferenceMessage) => {
          if (message.type === 'chunk') this.sent += message.tokens;
          return out.push(message) > 0;
        },
        offend: () => undefined,
        pace: new TokenBucket(1e9, 1e9, 0),
        closed: false,
      }) as unknown as Peer<InferenceMessage>;
    this.#workersEnd = end(client.identity.id, this.#toClient);
    this.#clientsEnd = end(worker.identity.id, this.#toWorker);
    this.#attempt = new Attempt({
      peer: this.#clientsEnd,
      identity: client.identity,
      request: { input: { prompt: 'x' } },
      maxTokens: MAX_TOKENS,
      model: undefined,
      deadlineMs: 600_000,
      patience: { ...DEFAULT_PATIENCE, acceptMs: 600_000, stallMs: 600_000 },
      longestQueueMs: () => 600_000,
      pledge: (pledge) => client.book.client.pledge(pledge),
      now: () => client.clock.now,
    });
  }

  async open(): Promise<void> {
    const { requestId } = this.#attempt;
    const worker = this.worker.identity.id;
    await this.client.book.client.open({ requestId, worker, maxTokens: MAX_TOKENS });
    this.#attempt.start();
    this.#deliverToWorker(1);
    await this.rest();
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'generate') this.#generate(step.tokens);
    else if (step.do === 'to worker') this.#deliverToWorker(step.messages);
    else if (step.do === 'to client') this.#deliverToClient(step.messages);
    else if (step.do === 'cancel') this.#attempt.cancel(new QuarryError({ code: 'CANCELLED', message: 'enough' }));
    else if (step.do === 'leave') this.#leave();
    else if (step.do === 'fail') this.#fail();
    else if (step.do === 'refuse') this.#refuse(step.code);
    else if (step.do === 'kill worker' || step.do === 'kill client') this.#kill();
    else this.#lies.add(step.do);
    await this.rest();
  }

  /** Whatever can happen without another message has happened. */
  async rest(): Promise<void> {
    for (let turns = 0; turns < 12; turns++) await turn();
  }

  /** Both sides end, and settle by what they have. */
  async end(): Promise<void> {
    const { requestId } = this.#attempt;
    const outcome = this.#outcome();
    this.#leave();
    this.#generate(MAX_TOKENS);
    await this.#dispatcher.close();
    const result = await outcome;
    this.ended = result;
    if (!this.#dead && result !== 'SERVED') await this.client.book.client.release(requestId, result);
    // As the next start does for a process that died.
    for (const node of [this.worker, this.client]) {
      await node.book.close();
      node.book = await openCreditBook({ ...node, verify, now: () => node.clock.now, log: testLog });
    }
  }

  async #outcome(): Promise<string> {
    try {
      for await (const event of this.#attempt) {
        if (event.type !== 'result') continue;
        const receipt = await this.client.book.client.countersign(event.bill, event.observed);
        await this.worker.book.worker.settle(receipt);
        return 'SERVED';
      }
    } catch (error) {
      return QuarryError.from(error).code;
    }
    return 'CANCELLED';
  }

  #generate(tokens: number): void {
    this.#mayGenerate += tokens;
    this.#generated.resolve();
    this.#generated = Promise.withResolvers();
  }

  #fail(): void {
    this.#fails = true;
    this.#generated.resolve();
  }

  #refuse(code: (typeof REFUSALS)[number]): void {
    const { requestId } = this.#attempt;
    const refusal = { v: 2, type: 'inference_error', requestId, code, message: code, retry: true } as const;
    this.#clientsEnd.emit('message', refusal);
  }

  /** The connection ends. */
  #leave(): void {
    this.#toWorker.length = 0;
    this.#toClient.length = 0;
    this.#dispatcher.abandon(this.#workersEnd);
    this.#clientsEnd.emit('close', 'gone');
  }

  /** Nothing that was not written down is known any more. */
  #kill(): void {
    this.#dead = true;
    this.#leave();
  }

  #deliverToWorker(messages: number): void {
    for (const message of this.#toWorker.splice(0, messages)) {
      if (message.type === 'prompt') this.#dispatcher.receive(this.#workersEnd, message);
      else if (message.type === 'cancel') this.#dispatcher.cancel(this.#workersEnd, message.requestId);
      else if (message.type === 'pledge') {
        if (this.#lies.has('lose pledges')) continue;
        const credits = message.credits + (this.#lies.has('raise pledges') ? 3 : 0);
        this.#dispatcher.pledged(this.#workersEnd, { ...message, credits });
        if (this.#lies.has('repeat pledges')) this.#dispatcher.pledged(this.#workersEnd, message);
      }
    }
  }

  #deliverToClient(messages: number): void {
    for (const message of this.#toClient.splice(0, messages)) {
      if (message.type === 'chunk') this.received += message.tokens;
      const lies = message.type === 'chunk' && this.#lies.has('overcount');
      this.#clientsEnd.emit('message', lies ? { ...message, tokens: message.tokens * 1_000 } : message);
    }
  }
}

/**
 * What both ledgers say in the end: the worker, that its client had so much, the client, that it has paid so much. No credit came from
 * nowhere: what the client had is what it was owed before and is not now, and what was given to it.
 */
async function settled(
  worker: CreditNode,
  client: CreditNode,
  owed: number,
): Promise<{ taken: number; paid: number; owes: number }> {
  for (const { book } of [worker, client]) expect(await book.verify()).toMatchObject({ ok: true });
  const [workerId, clientId] = [worker.identity.id, client.identity.id];
  const ofWorker = (account: string) => balanceOf(worker.db, account);
  const ofClient = (account: string) => balanceOf(client.db, account);
  const [left, taken] = [await ofWorker(claim(clientId)), await ofWorker(had(clientId))];
  const given = 0 - (await ofWorker(ISSUE_GIFT));
  expect(left + taken - given).toBe(owed);
  // What was sent and never signed for is paid by a claim; the client owes nothing for it.
  const unpledged = entriesUnder(worker.db, 'unpledged:').innerJoin('postings', 'postings.entry', 'seq');
  const drawn = await unpledged.select('amount').where('account', '=', had(clientId)).execute();
  const owesWorker = await ofWorker(owes(clientId));
  expect(owesWorker).toBe(taken - drawn.reduce((sum, { amount }) => sum + amount, 0));
  expect(worker.book.worker.terms(clientId, '127.0.0.1').owed).toBe(left);
  expect(worker.book.worker.given('127.0.0.0/24')).toBeGreaterThanOrEqual(given);
  const paid = await ofClient(OWN_SPENT);
  expect([await ofClient(claim(workerId)), 0 - (await ofClient(issueService(workerId)))]).toEqual([paid, paid]);
  return { taken, paid, owes: owesWorker };
}

it('costs neither side more than one credit, whatever happens', { timeout: 600_000 }, async () => {
  const runs = 60 * Number(process.env.QUARRY_TEST_ROUNDS ?? 1);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), fc.nat(9), async (steps, owed) => {
      const [worker, client] = [await openCreditNode(1), await openCreditNode(2)];
      try {
        if (owed > 0) await oweTo(worker, client.identity, owed);
        const exchange = new Exchange(worker, client);
        await exchange.open();
        for (const one of steps) await exchange.take(one);
        await exchange.end();
        const got = exchange.received > 0 ? costOf({ completionTokens: exchange.received }) : 0;
        const { taken, paid, owes } = await settled(worker, client, owed);
        // The client: what it has paid, against what came; what it has used up, for a prompt that was read at least.
        expect(paid - got).toBeLessThanOrEqual(1);
        expect(taken - costOf({ completionTokens: exchange.received })).toBeLessThanOrEqual(1);
        // Nothing is owed unless something came, nor for what was refused; nor is more believed to be owed than was sent.
        const refused = REFUSALS.some((code) => code === exchange.ended);
        const died = steps.some(({ do: what }) => what === 'kill client' || what === 'kill worker');
        if (exchange.received === 0 || (refused && !died)) expect(paid).toBe(0);
        expect(owes).toBeLessThanOrEqual(costOf({ completionTokens: exchange.sent }));
        // What was sent is drawn from what was set aside for it, signed for or not.
        if (
          owed >= costOf({ completionTokens: MAX_TOKENS }) &&
          exchange.sent > 0 &&
          !steps.some(({ do: what }) => what === 'fail')
        )
          expect(taken).toBeGreaterThanOrEqual(costOf({ completionTokens: exchange.sent }));
        // The worker: what it gave, against what it was paid, unless it took nothing for an answer that it failed.
        const failed = steps.some(({ do: what }) => what === 'fail');
        if (!failed) expect(got - taken).toBeLessThanOrEqual(1);
      } finally {
        await worker.close();
        await client.close();
      }
    }),
    { numRuns: runs },
  );
});
