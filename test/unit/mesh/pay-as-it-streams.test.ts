import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ignoring } from '../../../src-main/base/swallowed.ts';
import { TokenBucket } from '../../../src-main/base/token-bucket.ts';
import { claim, had, ISSUE_GIFT, issueService, OWN_SPENT, owes } from '../../../src-main/credits/books/accounts.ts';
import { costOf } from '../../../src-main/credits/price.ts';
import { receiptBytes } from '../../../src-main/credits/receipt.ts';
import { pointsFor } from '../../../src-main/credits/score/points.ts';
import { Attempt, DEFAULT_PATIENCE } from '../../../src-main/mesh/asking/attempt.ts';
import type { InferenceMessage } from '../../../src-main/mesh/inference/messages.ts';
import { SILENT_TOKENS } from '../../../src-main/mesh/inference/shown-tokens.ts';
import { Refusals } from '../../../src-main/mesh/transport/guards/refusals.ts';
import type { Peer } from '../../../src-main/mesh/transport/peer.ts';
import { balanceOf, entriesUnder } from '../../../src-main/store/credits/ledger.ts';
import { listOpenPledges } from '../../../src-main/store/credits/pledges.ts';
import { type ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';
import { type CreditNode, openCreditNode, oweTo } from '../../support/credit-nodes.ts';
import { openMeshDoor } from '../../support/mesh-door.ts';
import { testLog } from '../../support/mesh-node.ts';
import { ROUNDS } from '../../support/rounds.ts';
import { ScriptedBackend } from '../../support/scripted-backend.ts';

/*
 * One request between the real client and the real worker, on their real books, in whatever order messages come, whoever lies,
 * cancels, fails, refuses, leaves or dies, and whenever. What a pledge promises: nobody loses more than one credit.
 */

const MAX_TOKENS = 1_100;
/** A word is four bytes, so that the client believes a token for each, or for each byte, and {@link SILENT_TOKENS} more. */
const WORD = 'abc ';

/** Turns of the event loop: when nothing was sent for so many, whatever can happen without another message has happened. */
const QUIET_TURNS = 12;

/** Microtasks in which whatever needs no turn has happened: everything but what is written to a disk. */
const JOBS = 40;

/** `turns`: how many of them pass until the next step, whatever is under way. Default: until all is quiet. */
type Step = { turns?: number } & (
  | { do: 'generate'; tokens: number }
  | { do: 'to worker' | 'to client'; messages: number }
  /** All messages reach each other so many times. */
  | { do: 'talk'; times: number }
  /** The client's pledges get lost, change their sum, or come twice. */
  | { do: 'lose pledges' | 'raise pledges' | 'repeat pledges' }
  /** The worker counts more tokens than there are. */
  | { do: 'overcount' }
  /** Its bill does, and its answer does not. */
  | { do: 'overbill' }
  /** The client's disk takes no more pledges. */
  | { do: 'fill disk' }
  | { do: 'cancel' | 'leave' | 'fail' | 'kill worker' | 'kill client' }
  /** The worker takes the request, and refuses it after all. */
  | { do: 'refuse'; code: (typeof REFUSALS)[number] }
);

const REFUSALS = [
  'RATE_LIMIT',
  'BAD_REQUEST',
  'CONTEXT_TOO_LONG',
  'OVERLOADED',
  'MODEL_NOT_FOUND',
  'INTERNAL',
] as const;

const many = fc.integer({ min: 1, max: 400 });
const named = (...names: Extract<Step, Record<'do', string>>['do'][]) => fc.record({ do: fc.constantFrom(...names) });
const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('generate'), tokens: many }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('to worker', 'to client'), messages: many }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('talk'), times: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 1,
    arbitrary: named('lose pledges', 'raise pledges', 'repeat pledges', 'overcount', 'overbill', 'fill disk'),
  },
  { weight: 1, arbitrary: named('cancel', 'leave', 'fail', 'kill worker', 'kill client') },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refuse'), code: fc.constantFrom(...REFUSALS) }) },
) as fc.Arbitrary<Step>;
const turns = fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(QUIET_TURNS) });
const step = fc.tuple(action, turns).map(([one, turns]) => ({ ...one, turns }));

const turn = () => new Promise((resolve) => setImmediate(resolve));

class Exchange {
  readonly worker: CreditNode;
  readonly client: CreditNode;
  readonly #toWorker: InferenceMessage[] = [];
  readonly #toClient: InferenceMessage[] = [];
  readonly #backend: ScriptedBackend;
  readonly #door: ReturnType<typeof openMeshDoor>;
  readonly #attempt: Attempt;
  readonly #workersEnd: Peer<InferenceMessage>;
  readonly #clientsEnd: Peer<InferenceMessage>;
  #generated = Promise.withResolvers<void>();
  #mayGenerate = 0;
  #fails = false;
  #connected = true;
  /** The client does not want more: by its own will, or because the worker has refused it. */
  #over = false;
  #lies = new Set<string>();
  readonly #died = new Set<CreditNode>();
  /** Tokens that have really reached the client while it wanted them, and those that were sent to it. */
  received = 0;
  sent = 0;
  /** How it ended for the client; undefined where that died. */
  ended: ErrorCode | 'SERVED' | undefined;

  /** @param tokens of the whole answer */
  constructor(worker: CreditNode, client: CreditNode, tokens: number) {
    this.#backend = new ScriptedBackend({ tokens: Array.from({ length: tokens }, () => WORD) });
    this.worker = worker;
    this.client = client;
    this.#backend.before = async (index) => {
      while (index >= this.#mayGenerate && !this.#fails) await this.#generated.promise;
      if (this.#fails) throw new QuarryError({ code: 'ENGINE_CRASHED', message: 'it crashed', retryable: true });
    };
    this.#door = openMeshDoor({
      identity: worker.identity,
      backend: this.#backend,
      credits: worker.book.worker,
      maxDeadlineMs: 600_000,
      refusals: new Refusals(testLog),
      now: () => worker.clock.now,
      log: testLog,
    });
    const end = (id: string, out: InferenceMessage[]) =>
      Object.assign(new EventEmitter(), {
        id,
        host: '127.0.0.1',
        send: (message: InferenceMessage) => {
          if (!this.#connected) return false;
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
      pledge: async (pledge) => {
        if (this.#lies.has('fill disk')) throw new QuarryError({ code: 'DISK_FULL', message: 'it is full' });
        return await client.book.client.pledge(pledge);
      },
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
    else if (step.do === 'talk') await this.#talk(step.times);
    else if (step.do === 'cancel') this.#cancel();
    else if (step.do === 'leave') this.#leave();
    else if (step.do === 'fail') this.#fail();
    else if (step.do === 'refuse') this.#refuse(step.code);
    else if (step.do === 'kill worker') await this.#kill(this.worker);
    else if (step.do === 'kill client') await this.#kill(this.client);
    else this.#lies.add(step.do);
    await this.rest(step.turns);
  }

  async rest(turns?: number): Promise<void> {
    for (let jobs = 0; jobs < JOBS; jobs++) await undefined;
    if (turns !== undefined) for (let passed = 0; passed < turns; passed++) await turn();
    else
      for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
        const { sent } = this;
        await turn();
        if (this.sent > sent) quiet = 0;
      }
  }

  /** Both sides end, and settle by what they have. */
  async end(): Promise<void> {
    if (!this.died(this.client)) await this.#endClient();
    this.#leave();
    this.#generate(MAX_TOKENS);
    await this.#door.close();
    for (const node of [this.worker, this.client]) await node.die();
  }

  died(node: CreditNode): boolean {
    return this.#died.has(node);
  }

  async #endClient(): Promise<void> {
    const outcome = this.#outcome();
    this.#leave();
    this.ended = await outcome;
    if (this.ended === 'SERVED') return;
    await this.client.book.client.release(this.#attempt.requestId, this.#attempt.ending(this.ended));
  }

  async #outcome(): Promise<ErrorCode | 'SERVED'> {
    try {
      for await (const event of this.#attempt) {
        if (event.type !== 'result') continue;
        if (event.result.text === '') return 'WORKER_LOST'; // nothing is paid for nothing
        const receipt = await this.client.book.client
          .countersign(event.bill, event.observed)
          .catch(ignoring('a false bill: what was signed for before is paid'));
        if (!receipt) return 'PROTOCOL';
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

  async #talk(times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      this.#deliverToClient(this.#toClient.length);
      await this.rest();
      this.#deliverToWorker(this.#toWorker.length);
      await this.rest();
    }
  }

  #fail(): void {
    this.#fails = true;
    this.#generated.resolve();
  }

  #refuse(code: (typeof REFUSALS)[number]): void {
    const { requestId } = this.#attempt;
    const refusal = { v: 2, type: 'inference_error', requestId, code, message: code, retry: true } as const;
    this.#over = true;
    this.#clientsEnd.emit('message', refusal);
  }

  #cancel(): void {
    this.#over = true;
    this.#attempt.cancel(new QuarryError({ code: 'CANCELLED', message: 'enough' }));
  }

  /** The connection ends. */
  #leave(): void {
    this.#connected = false;
    this.#over = true;
    this.#toWorker.length = 0;
    this.#toClient.length = 0;
    this.#door.door.abandon(this.#workersEnd);
    this.#clientsEnd.emit('close', 'gone');
  }

  /** One side's process dies and starts again; the other hears that it is gone. What is left of the first changes nothing any more. */
  async #kill(node: CreditNode): Promise<void> {
    this.#died.add(node);
    const reborn = node.die();
    this.#leave();
    await reborn;
  }

  #deliverToWorker(messages: number): void {
    for (const message of this.#toWorker.splice(0, messages)) {
      if (message.type === 'prompt') this.#door.door.receive(this.#workersEnd, message);
      else if (message.type === 'cancel') this.#door.door.cancel(this.#workersEnd, message.requestId);
      else if (message.type === 'pledge') {
        if (this.#lies.has('lose pledges')) continue;
        const credits = message.credits + (this.#lies.has('raise pledges') ? 3 : 0);
        this.#door.door.pledged(this.#workersEnd, { ...message, credits });
        if (this.#lies.has('repeat pledges')) this.#door.door.pledged(this.#workersEnd, message);
      }
    }
  }

  #deliverToClient(messages: number): void {
    for (const message of this.#toClient.splice(0, messages)) {
      if (message.type === 'chunk' && !this.#over) this.received += message.tokens;
      this.#clientsEnd.emit('message', this.#twisted(message));
    }
  }

  /** What the worker says, with its lies. */
  #twisted(message: InferenceMessage): InferenceMessage {
    if (message.type === 'chunk' && this.#lies.has('overcount')) return { ...message, tokens: message.tokens * 1_000 };
    if (message.type !== 'inference_result' || !this.#lies.has('overbill')) return message;
    const usage = { ...message.receipt.body, completionTokens: MAX_TOKENS };
    const body = { ...usage, cost: costOf(usage), points: pointsFor(usage) };
    return { ...message, receipt: { body, workerSig: this.worker.identity.sign(receiptBytes(body)) } };
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
): Promise<{ taken: number; given: number; counted: number; paid: number; owes: number }> {
  for (const { book } of [worker, client]) expect(await book.verify()).toMatchObject({ ok: true });
  const [workerId, clientId] = [worker.identity.id, client.identity.id];
  const ofWorker = (account: string) => balanceOf(worker.db, account);
  const ofClient = (account: string) => balanceOf(client.db, account);
  const [left, taken] = [await ofWorker(claim(clientId)), await ofWorker(had(clientId))];
  const given = 0 - (await ofWorker(ISSUE_GIFT));
  expect(left + taken - given).toBe(owed);
  // What was sent and never signed for is paid by a claim; the client owes nothing for it, unless a receipt comes after all.
  const unpledged = entriesUnder(worker.db, 'unpledged:').innerJoin('postings', 'postings.entry', 'seq');
  const drawn = await unpledged.select('amount').where('account', '=', had(clientId)).execute();
  const owesWorker = await ofWorker(owes(clientId));
  const unsigned = (await entriesUnder(worker.db, 'earn:').select('seq').executeTakeFirst())
    ? 0
    : drawn.reduce((sum, { amount }) => sum + amount, 0);
  expect(owesWorker).toBe(taken - unsigned);
  expect(worker.book.worker.terms(clientId, '127.0.0.1').owed).toBe(left);
  expect(worker.book.client.owedBy(clientId)).toBe(owesWorker);
  const counted = worker.book.worker.given('127.0.0.0/24');
  const paid = await ofClient(OWN_SPENT);
  expect([await ofClient(claim(workerId)), 0 - (await ofClient(issueService(workerId)))]).toEqual([paid, paid]);
  for (const { db } of [worker, client]) {
    expect(await listOpenPledges(db)).toEqual([]);
    const credits = await db
      .selectFrom('postings')
      .select(({ fn }) => fn.sum<number>('amount').as('sum'))
      .executeTakeFirst();
    expect(credits?.sum ?? 0).toBe(0);
  }
  return { taken, given, counted, paid, owes: owesWorker };
}

/** What an answer of so many tokens costs: nothing, if there is none. */
const priceOf = (tokens: number) => (tokens > 0 ? costOf({ completionTokens: tokens }) : 0);

/** The worker has taken the request, and kept the first pledge; then the client has what begins an answer. */
const BEGIN: Step[] = [
  { do: 'to client', messages: 1 },
  { do: 'to worker', messages: 1 },
];
const FIRST: Step[] = [...BEGIN, { do: 'generate', tokens: 1 }, { do: 'to client', messages: 1 }];

/** The shortest runs that have shown a fault, or show one that somebody might make. */
const FAULTS: Step[][] = [
  // A worker that died believed to be owed what was pledged, though it had sent nothing; or had nothing of it used up, though it had.
  [...BEGIN, { do: 'kill worker' }],
  [...BEGIN, { do: 'generate', tokens: 256 }, { do: 'kill worker' }],
  [...FIRST, { do: 'to worker', messages: 1 }, { do: 'generate', tokens: 400 }, { do: 'kill worker' }],
  // A client that died had signed for more than it had written down.
  [
    ...FIRST.slice(0, -1),
    { do: 'to client', messages: 1, turns: 0 },
    { do: 'to worker', messages: 1, turns: 0 },
    { do: 'kill client' },
  ],
  // One that cannot write down what it signs for owed nothing, for that was taken for a refusal.
  [
    ...FIRST,
    { do: 'to worker', messages: 1 },
    { do: 'generate', tokens: 300 },
    { do: 'fill disk' },
    { do: 'to client', messages: 300 },
  ],
  [...BEGIN, { do: 'generate', tokens: 1 }, { do: 'fill disk' }, { do: 'to client', messages: 1 }],
  // One believes any number of tokens.
  [...BEGIN, { do: 'generate', tokens: 1 }, { do: 'overcount' }, { do: 'to client', messages: 1 }],
  [...BEGIN, { do: 'generate', tokens: 256 }, { do: 'overcount' }, { do: 'to client', messages: 256 }],
];
/** One signs a bill for more than the answer had: of two tokens, all of which come. */
const FALSE_BILL: Step[] = [
  ...FIRST,
  { do: 'talk', times: 1 },
  { do: 'overbill' },
  { do: 'generate', tokens: 9 },
  { do: 'talk', times: 4 },
];

const runs = fc.array(step, { minLength: 1, maxLength: 40, size: 'max' });
const lengths = fc.constantFrom(0, 1, 200, 256, 257, 600, MAX_TOKENS);

it('costs neither side more than one credit, whatever happens', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(runs, fc.nat(9), lengths, async (steps, owed, length) => {
      const [worker, client] = [await openCreditNode(1), await openCreditNode(2)];
      try {
        if (owed > 0) await oweTo(worker, client.identity, owed);
        const exchange = new Exchange(worker, client, length);
        await exchange.open();
        for (const one of steps) await exchange.take(one);
        await exchange.end();
        const { received, sent, ended } = exchange;
        const did = (what: Step['do']) => steps.some((one) => one.do === what);
        const { taken, given, counted, paid, owes } = await settled(worker, client, owed);
        const refused = REFUSALS.some((code) => code === ended);

        // Nothing is owed unless something came, nor for what was refused; nor is more believed to be owed than was sent.
        if (received === 0 || refused) expect(paid).toBe(0);
        expect(owes).toBeLessThanOrEqual(priceOf(sent));

        // The client: what it has paid, against what came; what it has used up, for a prompt that was read at least.
        const mayBe = did('overcount') ? Math.min(MAX_TOKENS, received * WORD.length + SILENT_TOKENS) : received;
        expect(paid - priceOf(mayBe)).toBeLessThanOrEqual(1);
        expect(taken - costOf({ completionTokens: received })).toBeLessThanOrEqual(1);

        // The worker: what it sent, against what is used up for that, signed for or not; unless it took nothing for an answer that it failed.
        if (!did('fail')) expect(priceOf(sent) - Math.max(taken, counted)).toBeLessThanOrEqual(1);
        // What is given away counts for the client's network. A receipt that comes to a worker that died does not say which that was.
        expect(given - counted).toBeLessThanOrEqual(exchange.died(worker) ? 1 : 0);
        // And against what it is owed for it: a client that died before it could sign for the first of it does not know that it came.
        if (!did('fail') && !refused) {
          const unknown = exchange.died(client) ? 1 : 0;
          expect(priceOf(received) - paid).toBeLessThanOrEqual(1 + unknown);
          expect(owes - paid).toBeLessThanOrEqual(1);
        }
      } finally {
        await worker.close();
        await client.close();
      }
    }),
    {
      numRuns: 60 * ROUNDS,
      examples: [
        ...FAULTS.flatMap((steps) => [0, 9].map((owed): [Step[], number, number] => [steps, owed, MAX_TOKENS])),
        [FALSE_BILL, 0, 2],
      ],
    },
  );
});
