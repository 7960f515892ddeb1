import type { Funds } from '../../src-main/credits/credits.ts';
import { costOf } from '../../src-main/credits/price.ts';
import { receiptBytes } from '../../src-main/credits/receipt.ts';
import { pointsFor } from '../../src-main/credits/score/points.ts';
import {
  hashText,
  type InferenceError,
  type InferenceMessage,
  inputLength,
  type Prompt,
  type Status,
} from '../../src-main/mesh/inference/messages.ts';
import { authenticHash } from '../../src-main/mesh/transport/envelope.ts';
import type { Identity } from '../../src-main/mesh/transport/identity.ts';
import { randomIdentity } from './mesh-node.ts';
import { WirelessPeer } from './wireless-peer.ts';
import { IDLE_STATUS, workerStatus } from './worker-status.ts';

/** How a worker without a connection takes requests. All but the first are lies. */
export const MANNERS = [
  'honest',
  'says that the time is over',
  'says that it was cancelled',
  'blames the request',
  'blames the length',
  'says that it has not the model',
  'claims room and has none',
  'claims to have crashed',
  'tells a wait of a day',
  'tells a place that grows',
  'accepts and is silent',
  'says nothing at all',
  'stalls in the middle',
  'sends pieces without text',
  'answers without a word',
] as const;
export type Manner = (typeof MANNERS)[number];

export const LIES = MANNERS.slice(1);

const WAY_MS = 5;
const WORK_MS = 200;
const BEAT_MS = 10_000;

/** A worker of the inference network without a connection: real messages and signatures, on the timers that a test fakes. */
export class WirelessWorker extends WirelessPeer {
  manner: Manner;
  /** What its statuses say instead. */
  selfReport: Partial<Pick<Status, 'health' | 'queue'>>;
  /** From what it says that it is paid. */
  funds: Funds = 'gift';
  /** What it answers. */
  text = 'An answer.';
  /** What it refuses a prompt with at once; undefined where it takes it, in its manner. */
  refusal: (prompt: Prompt) => InferenceError['code'] | undefined = () => undefined;
  /** Prompts that it got. */
  prompts = 0;
  readonly identity: Identity;
  readonly #beat: NodeJS.Timeout;
  readonly #working = new Map<string, NodeJS.Timeout[]>();
  #seq = 0;

  constructor(manner: Manner = 'honest', selfReport: Partial<Pick<Status, 'health' | 'queue'>> = {}) {
    const identity = randomIdentity();
    super(identity.id);
    this.manner = manner;
    this.identity = identity;
    this.selfReport = selfReport;
    this.#beat = setInterval(() => this.beat(), BEAT_MS);
    this.onSent((message) => {
      if (message.type === 'prompt') this.#asked(message);
      if (message.type === 'cancel') this.#stop(message.requestId);
    });
  }

  /** Says how it is. Liars are always free, and in the best of health. */
  beat(): void {
    const running = this.manner === 'honest' ? this.#working.size : 0;
    const words = {
      seq: this.#seq++,
      health: { score: this.manner === 'honest' ? 70 : 100, state: 'light', capacity: 100 },
      queue: { ...IDLE_STATUS.queue, running },
      avgMs: this.manner === 'honest' ? WORK_MS : 1,
      ...this.selfReport,
    } as const;
    this.say(workerStatus(this.identity, words));
  }

  close(): void {
    clearInterval(this.#beat);
    for (const requestId of this.#working.keys()) this.#stop(requestId);
  }

  #asked(prompt: Prompt): void {
    this.prompts++;
    const { requestId } = prompt;
    const accept = (etaMs = 0, afterMs = WAY_MS, position = 0) => {
      const funds = { tier: 'newcomer', funds: this.funds } as const;
      this.#later(requestId, afterMs, { v: 2, type: 'queue-status', requestId, position, etaMs, ...funds });
    };
    const refuse = (code: InferenceError['code'], afterMs = WAY_MS) =>
      this.#later(requestId, afterMs, { v: 2, type: 'inference_error', requestId, code, message: code, retry: true });
    const piece = (seq: number, text: string, afterMs = WAY_MS + WORK_MS) =>
      this.#later(requestId, afterMs, { v: 2, type: 'chunk', requestId, seq, text, tokens: 1 });
    const ways: Record<Manner, () => void> = {
      honest: () => {
        accept();
        piece(0, this.text);
        this.#later(requestId, 2 * WAY_MS + WORK_MS, () => this.#result(prompt));
      },
      'says that the time is over': () => refuse('DEADLINE'),
      'says that it was cancelled': () => refuse('CANCELLED'),
      'blames the request': () => refuse('BAD_REQUEST'),
      'blames the length': () => refuse('CONTEXT_TOO_LONG'),
      'says that it has not the model': () => refuse('MODEL_NOT_FOUND'),
      'claims room and has none': () => refuse('QUEUE_FULL'),
      'claims to have crashed': () => {
        accept();
        refuse('ENGINE_CRASHED', 2 * WAY_MS);
      },
      'tells a wait of a day': () => accept(86_400_000),
      'tells a place that grows': () => {
        for (let place = 0; place < 60; place++) accept(60_000 * place, WAY_MS + 5_000 * place, place);
      },
      'accepts and is silent': () => accept(),
      'says nothing at all': () => {},
      'stalls in the middle': () => {
        accept();
        piece(0, 'An');
      },
      'sends pieces without text': () => {
        accept();
        for (let seq = 0; seq < 100; seq++) piece(seq, '', (seq + 1) * 5_000);
      },
      'answers without a word': () => {
        accept();
        this.text = '';
        this.#later(requestId, 2 * WAY_MS, () => this.#result(prompt));
      },
    };
    const code = this.refusal(prompt);
    if (code) refuse(code);
    else ways[this.manner]();
  }

  #later(requestId: string, ms: number, what: InferenceMessage | (() => void)): void {
    const timer = setTimeout(() => {
      if (typeof what === 'function') what();
      else this.say(what);
    }, ms);
    const timers = this.#working.get(requestId) ?? [];
    this.#working.set(requestId, [...timers, timer]);
  }

  #stop(requestId: string): void {
    for (const timer of this.#working.get(requestId) ?? []) clearTimeout(timer);
    this.#working.delete(requestId);
  }

  #result(prompt: Prompt): void {
    const { requestId } = prompt;
    const counts = { promptTokens: 3, completionTokens: 3 };
    const served = {
      requestId,
      client: prompt.from,
      model: 'm',
      promptHash: authenticHash(prompt) ?? 'signed by another',
      resultHash: hashText(this.text),
      promptChars: inputLength(prompt),
      resultChars: this.text.length,
      firstTokenMs: WORK_MS,
      processingMs: WORK_MS,
      servedAt: Date.now(),
      ...counts,
    };
    const { id: worker } = this.identity;
    const body = { v: 2 as const, ...served, worker, points: pointsFor(served), cost: costOf(served) };
    const receipt = { body, workerSig: this.identity.sign(receiptBytes(body)) };
    const times = { queuedMs: 0, firstTokenMs: WORK_MS, totalMs: WORK_MS, tokensPerSecond: 10 };
    this.#stop(requestId);
    this.say({
      v: 2,
      type: 'inference_result',
      requestId,
      finish: 'stop',
      cachedTokens: 0,
      ...counts,
      ...times,
      receipt,
    });
  }
}
