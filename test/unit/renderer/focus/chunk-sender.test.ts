import { describe, expect, it } from 'vitest';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { RecordingEnd, RecordingGrant } from '../../../../src-preload/contract/focus.ts';
import { tellThereAgain } from '../../../../src-renderer/api/there-again.ts';
import {
  ChunkSender,
  MOST_WAITING_BYTES,
  type SentChunk,
  type Waiting,
} from '../../../../src-renderer/pages/focus/recording/chunk-sender.ts';

const away = () => new QuarryError({ code: 'NOT_RUNNING', message: 'The node is away.', retryable: true });
const unknownKey = () => new QuarryError({ code: 'UNAUTHORIZED', message: 'Nothing is recorded with this key.' });
const refused = () => new QuarryError({ code: 'BAD_REQUEST', message: 'It does not follow.' });
const activity = (activeMs: number) => ({ activeMs, motion: 1, keys: null, clicks: null, moves: null, picture: null });

/** A node that keeps chunks as the real one does, and can be away, started anew, or not heard. */
class Node {
  chunks: { part: number; chunk: number; activeMs: number }[] = [];
  part = 0;
  token = 1;
  isAway = false;
  /** So many answers are lost on their way: what was asked is done. */
  unheard = 0;
  ends: RecordingEnd | null = null;
  atOnce = 0;
  mostAtOnce = 0;
  tries = 0;

  get grant(): RecordingGrant {
    return { id: 'r', token: `${this.token}`, part: this.part, nextChunk: this.next, activeMs: this.activeMs };
  }

  get activeMs(): number {
    return this.chunks.at(-1)?.activeMs ?? 0;
  }

  get next(): number {
    return this.chunks.filter(({ part }) => part === this.part).length;
  }

  startAnew(): void {
    this.token++;
  }

  async hand(token: string, { part, chunk, activity: { activeMs } }: SentChunk) {
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
    await Promise.resolve();
    this.atOnce--;
    this.tries++;
    if (this.isAway) throw away();
    if (token !== `${this.token}`) throw unknownKey();
    const last = this.chunks.at(-1);
    const isTaken = last?.part === part && last.chunk === chunk;
    if (!isTaken && (part !== this.part || chunk !== this.next)) throw refused();
    if (!isTaken) this.chunks.push({ part, chunk, activeMs });
    return this.#heard({ nextChunk: this.next, ended: this.ends });
  }

  async goOn(newPart: boolean): Promise<RecordingGrant> {
    if (this.isAway) throw away();
    this.token++;
    this.part = (this.chunks.at(-1)?.part ?? 0) + (newPart && this.chunks.length > 0 ? 1 : 0);
    return this.#heard(this.grant);
  }

  async forgetLast(seconds: number): Promise<RecordingGrant> {
    if (this.isAway) throw away();
    const until = this.activeMs - seconds * 1_000;
    this.chunks = this.chunks.filter(({ activeMs }) => activeMs <= until);
    this.part++;
    return this.#heard(this.grant);
  }

  #heard<Answer>(answer: Answer): Answer {
    if (this.unheard === 0) return answer;
    this.unheard--;
    throw away();
  }
}

function sending(node = new Node(), wait: () => Promise<void> = async () => undefined) {
  const told = { anew: [] as number[], ended: [] as RecordingEnd[], failed: [] as string[], waits: [] as Waiting[] };
  const waits: number[] = [];
  const sender = new ChunkSender(node.grant, {
    hand: (token, chunk) => node.hand(token, chunk),
    goOn: (newPart) => node.goOn(newPart),
    forgetLast: (seconds) => node.forgetLast(seconds),
    beginAnew: ({ part }) => void told.anew.push(part),
    ended: (why) => void told.ended.push(why),
    failed: ({ code }) => void told.failed.push(code),
    waits: (waiting) => void told.waits.push(waiting),
    wait: async (ms) => {
      waits.push(ms);
      if (waits.length === 5) node.isAway = false;
      await wait();
    },
  });
  let seconds = 0;
  const push = (count = 1, bytes: string | Uint8Array<ArrayBuffer> = 'x') => {
    for (let i = 0; i < count; i++) sender.push(new Blob([bytes]), activity(++seconds * 1_000));
  };
  const has = () => node.chunks.map(({ part, chunk }) => `${part}.${chunk}`).join(' ');
  return { node, sender, told, waits, push, has };
}

describe('what was recorded', () => {
  it('is handed over in order, one chunk at a time, and an empty one is none', async () => {
    const { node, sender, push, has } = sending();
    push(2);
    push(1, '');
    push(2);
    await sender.drained();
    expect(has()).toBe('0.0 0.1 0.2 0.3');
    expect(node.mostAtOnce).toBe(1);
  });

  it('waits while the node is away, tried more and more rarely, and nothing of it is lost', async () => {
    const { node, sender, told, waits, push, has } = sending();
    node.isAway = true;
    push(3);
    await sender.drained();
    expect(has()).toBe('0.0 0.1 0.2');
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
    expect(told.waits.some(({ isAway, bytes }) => isAway && bytes === 3)).toBe(true);
    expect(told.waits.at(-1)).toEqual({ bytes: 0, isAway: false, isBehind: false, isFull: false });
  });

  it('tells that more than a moment is still being handed over, until it is', async () => {
    const { node, sender, told, push } = sending();
    node.isAway = true;
    push(8);
    await sender.drained();
    const after = told.waits.slice(told.waits.findLastIndex(({ isAway }) => isAway) + 1);
    expect(after.map(({ bytes, isBehind }) => [bytes, isBehind])).toEqual([
      ...[7, 6, 5, 4].map((bytes) => [bytes, true]),
      ...[3, 2, 1, 0].map((bytes) => [bytes, false]),
    ]);
  });

  it('is handed over as soon as the page has found the node again, however long it would have waited', async () => {
    const { node, sender, push, has } = sending(new Node(), () => new Promise(() => undefined));
    node.isAway = true;
    push(2);
    await expect.poll(() => node.tries).toBe(1);
    node.isAway = false;
    tellThereAgain();
    await sender.drained();
    expect(has()).toBe('0.0 0.1');
  });

  it('is taken once where the node was not heard', async () => {
    const { node, sender, push, has } = sending();
    node.unheard = 2;
    push(2);
    await sender.drained();
    expect(has()).toBe('0.0 0.1');
  });

  it('goes on in the same part at a node that was started anew, also where its last answer was lost', async () => {
    const { node, sender, push, has, told } = sending();
    push(2);
    await sender.drained();
    node.unheard = 1;
    push(1);
    node.startAnew();
    push(1);
    await sender.drained();
    node.chunks.push({ part: 0, chunk: 4, activeMs: 5_000 }); // taken, and not heard before the node ended
    node.startAnew();
    push(2);
    await sender.drained();
    expect(has()).toBe('0.0 0.1 0.2 0.3 0.4 0.5');
    expect(told).toMatchObject({ anew: [], failed: [] });
  });

  it('becomes a new part where the node lacks what was answered, and of the old stream nothing is sent', async () => {
    const { node, sender, push, has, told } = sending();
    push(3);
    await sender.drained();
    node.chunks.pop();
    node.startAnew();
    push(2);
    await sender.drained();
    expect(told.anew).toEqual([1]);
    push(2);
    await sender.drained();
    expect(has()).toBe('0.0 0.1 1.0 1.1');
  });

  it('becomes a new part without another stream where all of it is still here', async () => {
    const { node, sender, push, has, told } = sending();
    push(3);
    await sender.drained();
    await sender.forgetAfter(2_000);
    node.part = 0; // no chunk of the new part came before the node ended
    node.startAnew();
    push(2);
    await sender.drained();
    expect(has()).toBe('0.0 0.1 1.0 1.1');
    expect(told.anew).toEqual([]);
  });

  it('is held once too much waits, until there is room for a while', async () => {
    const { node, sender, told, push } = sending();
    node.isAway = true;
    push(5, new Uint8Array(MOST_WAITING_BYTES / 4));
    expect(told.waits.at(-1)?.isFull).toBe(true);
    await sender.drained();
    const full = told.waits.filter(({ isFull }) => isFull).map(({ bytes }) => bytes);
    expect(Math.min(...full)).toBeGreaterThan(MOST_WAITING_BYTES / 2);
    expect(told.waits.at(-1)?.isFull).toBe(false);
  });

  it('ends when the node takes no more, and what waits is given up', async () => {
    const { node, sender, told, push, has } = sending();
    node.ends = 'longest';
    push(3);
    await sender.drained();
    push(1);
    expect([has(), told.ended, told.waits.at(-1)?.bytes]).toEqual(['0.0', ['longest'], 0]);
  });

  it('ends where a node says no again and again', async () => {
    const { node, sender, told, push } = sending();
    node.hand = async () => {
      throw refused();
    };
    push(1);
    await sender.drained();
    expect(told.failed).toEqual(['BAD_REQUEST']);
  });
});

describe('what is forgotten', () => {
  it('goes here and at the node, and what comes then is a new part', async () => {
    const { node, sender, push, has } = sending();
    push(5);
    await sender.drained();
    expect(await sender.forgetAfter(2_000)).toMatchObject({ part: 1, nextChunk: 0, activeMs: 2_000 });
    sender.push(new Blob(['x']), activity(2_500));
    await sender.drained();
    expect([has(), node.activeMs]).toEqual(['0.0 0.1 1.0', 2_500]);
  });

  it('is not sent first: of what waits here behind one that is under way, nothing beyond it is handed over', async () => {
    const { node, sender, push, has } = sending();
    const handed: number[] = [];
    const held = Promise.withResolvers<void>();
    const hand = node.hand.bind(node);
    node.hand = async (token, chunk) => {
      handed.push(chunk.activity.activeMs);
      await held.promise;
      return hand(token, chunk);
    };
    push(4);
    const forgotten = sender.forgetAfter(2_000);
    held.resolve();
    expect(await forgotten).toMatchObject({ part: 1, nextChunk: 0, activeMs: 2_000 });
    expect([handed, has()]).toEqual([[1_000, 2_000], '0.0 0.1']);
  });

  it('never reaches a node that was away, and what came before it does', async () => {
    const { node, sender, push, has } = sending();
    node.isAway = true;
    push(5);
    await sender.forgetAfter(2_000);
    push(1);
    await sender.drained();
    expect(has()).toBe('0.0 0.1 1.0');
  });

  it('is no more than was wanted where the node was not heard', async () => {
    const { node, sender, push, has } = sending();
    push(9);
    await sender.drained();
    node.unheard = 1;
    await sender.forgetAfter(6_000);
    sender.push(new Blob(['x']), activity(7_000));
    await sender.drained();
    expect(has()).toBe('0.0 0.1 0.2 0.3 0.4 0.5 1.0');
  });
});
