import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FairReading, type ReadingLine } from '../../../../../src-main/mesh/transport/guards/fair-reading.ts';

const MB = 1_000_000;
/** Bytes a second that are read of all together, as by default. */
const PACE = 3 * 1024 * 1024;
const PROMPT = 4 * 1024 * 1024;
/** Milliseconds; the clock stands still until a test moves it. */
const STEP = 50;
/** How long the longest message of somebody who used little may wait, whatever others do. */
const BOUND_MS = 15_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

/** What a crowd does. */
interface Flood {
  /** How many networks it has, and keys in each, at a time. */
  networks: number;
  keys: number;
  /** Bytes of each of its messages. */
  length: number;
  /** Times the pace that it says in all. */
  times: number;
  /** Who comes in the place of a key that has been read: the same, another key of its network, or one of another network. */
  next: 'the same' | 'a key' | 'a network';
}

/** A connection, and what became of what it said. */
interface Talk {
  line: ReadingLine;
  network: string;
  read: number;
  isGone: boolean;
}

function open(reading: FairReading, network: string, id: string): Talk {
  const talk: Pick<Talk, 'read' | 'isGone'> = { read: 0, isGone: false };
  const end = () => {
    talk.isGone = true;
  };
  const read = ({ length }: Uint8Array) => {
    talk.read += length;
    line.spendMessage();
  };
  const line = reading.line({ id, read, onStranger: end, onExcess: end });
  line.welcome(network);
  return Object.assign(talk, { line, network });
}

class Crowd {
  readonly #flood: Flood;
  readonly #reading: FairReading;
  readonly #message: Buffer;
  readonly #members: Talk[];
  #names = 0;
  #due = 0;
  #next = 0;

  constructor(reading: FairReading, flood: Flood) {
    this.#flood = flood;
    this.#reading = reading;
    this.#message = Buffer.alloc(flood.length);
    this.#members = Array.from({ length: flood.networks * flood.keys }, (_, n) => this.#come(n % flood.networks));
  }

  #come(network: number | string): Talk {
    return open(this.#reading, `crowd ${network}`, `key ${this.#names++}`);
  }

  /** Says what it says in a step of the clock. */
  say(): void {
    this.#due += (this.#flood.times * PACE * STEP) / 1_000;
    for (let tries = 0; this.#due > 0 && tries < 2_000; tries++) {
      const place = this.#next++ % this.#members.length;
      const member = this.#renewed(this.#members[place] ?? this.#come(0));
      this.#members[place] = member;
      if (this.#flood.next !== 'the same' && member.line.isWaiting) continue;
      member.line.take(this.#message);
      this.#due -= this.#message.length + 512;
    }
    this.#due = Math.min(this.#due, 8 * MB);
  }

  #renewed(member: Talk): Talk {
    const isOver = member.isGone || (this.#flood.next !== 'the same' && member.read > 0);
    if (!isOver) return member;
    member.line.close();
    const network = this.#flood.next === 'a network' ? `new ${this.#names}` : member.network.slice('crowd '.length);
    return this.#come(network);
  }
}

/** How long the longest message of somebody waits who was there and said nothing, in milliseconds, when it comes in a flood. */
function waited(flood: Flood, warmMs: number): number {
  const reading = new FairReading(PACE, true, Date.now);
  const honest = open(reading, 'honest', 'honest');
  const crowd = new Crowd(reading, flood);
  const pass = () => {
    crowd.say();
    vi.advanceTimersByTime(STEP);
  };
  for (let ms = 0; ms < warmMs; ms += STEP) pass();
  honest.line.take(Buffer.alloc(PROMPT));
  const since = Date.now();
  while (honest.read < PROMPT && !honest.isGone && Date.now() - since < 2 * BOUND_MS) pass();
  expect(honest.isGone, 'it had to go').toBe(false);
  return Date.now() - since;
}

const NEXT: Flood['next'][] = ['the same', 'a key', 'a network'];

describe('the longest message of somebody who used little', () => {
  it.each(NEXT)('is read in bounded time, whatever others say (after each: %s)', (next) => {
    const many = fc.record({ networks: fc.integer({ min: 1, max: 112 }), length: fc.integer({ min: 500, max: MB }) });
    const long = fc.record({ networks: fc.integer({ min: 1, max: 16 }), length: fc.integer({ min: MB, max: PROMPT }) });
    const times = fc.double({ min: 0.9, max: 3, noNaN: true });
    fc.assert(
      fc.property(fc.oneof(many, long), fc.integer({ min: 1, max: 16 }), times, (crowd, most, each) => {
        const keys = Math.max(1, Math.min(most, Math.floor(112 / crowd.networks)));
        expect(waited({ ...crowd, keys, times: each, next }, 4_000)).toBeLessThan(BOUND_MS);
      }),
      { numRuns: 8 },
    );
  });

  it.each([
    ['one host with a place for each of sixteen keys', { networks: 1, keys: 16, length: 60 * 1024, times: 1.3 }],
    ['one host whose keys are new each time', { networks: 1, keys: 16, length: 16 * 1024, times: 2, next: 'a key' }],
    ['many networks with the longest messages', { networks: 16, keys: 1, length: PROMPT, times: 3 }],
  ] as [string, Omit<Flood, 'next'> & Partial<Flood>][])('waits for %s hardly longer than they for it', (_, flood) => {
    expect(waited({ next: 'the same', ...flood }, 10_000)).toBeLessThan(6_000);
  });
});

describe('many keys of one network', () => {
  it('have together what one node of another has', () => {
    const reading = new FairReading(PACE, true, Date.now);
    const gang = Array.from({ length: 16 }, (_, n) => open(reading, 'gang', `key ${n}`));
    const alone = open(reading, 'alone', 'alone');
    const talk = [...gang, alone];
    const message = Buffer.alloc(20_000);
    for (let ms = 0; ms < 20_000; ms += STEP) {
      for (const each of talk)
        if (!each.line.isWaiting) for (let count = 0; count < 10; count++) each.line.take(message);
      vi.advanceTimersByTime(STEP);
    }
    const ofGang = gang.reduce((sum, { read }) => sum + read, 0);
    expect(talk.filter(({ isGone }) => isGone)).toEqual([]);
    expect(ofGang / alone.read).toBeGreaterThan(0.8);
    expect(ofGang / alone.read).toBeLessThan(1.25);
    const each = gang.map(({ read }) => read);
    expect(Math.max(...each)).toBeLessThan(1.5 * Math.min(...each));
  });
});

describe('who has not shown where he is', () => {
  it('is heard at once, as much as a hello is, and ends nobody’s turn', () => {
    const reading = new FairReading(PACE, true, Date.now);
    const honest = open(reading, 'honest', 'honest');
    const strangers = Array.from({ length: 1_000 }, (_, n) => {
      const heard = { bytes: 0, isGone: false };
      const read = ({ length }: Uint8Array) => {
        heard.bytes += length;
      };
      const end = () => {
        heard.isGone = true;
      };
      return { heard, line: reading.line({ id: `${n}`, read, onStranger: end, onExcess: end }) };
    });
    for (const { line } of strangers) line.take(Buffer.alloc(2_000));
    expect(strangers.every(({ heard }) => heard.bytes === 2_000)).toBe(true);
    for (const { line } of strangers) for (let count = 0; count < 100; count++) line.take(Buffer.alloc(16 * 1024));
    expect(strangers.every(({ heard }) => heard.isGone && heard.bytes === 2_000)).toBe(true);
    honest.line.take(Buffer.alloc(PROMPT));
    expect(honest.read).toBe(PROMPT); // the pace has not been touched
  });
});
