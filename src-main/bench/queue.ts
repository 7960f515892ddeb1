import { performance } from 'node:perf_hooks';
import { seededRandom } from '../base/seeded-random.ts';
import { TIERS, type Tier, tierRank } from '../credits/tiers.ts';
import { MS_PER_RANK, type QueueItem, RequestQueue } from '../mesh/serving/queue/queue.ts';
import { benchChoice } from './choice.ts';
import { type BenchEvent, benchRow } from './row.ts';

export interface BenchQueueOptions {
  /** Runs of each side. Default 5. */
  runs?: number;
}

/** What both sides can do. `fill` is for the start, where each may take its quickest way. */
interface Side {
  fill(items: readonly [item: QueueItem<undefined>, at: number][]): void;
  add(item: QueueItem<undefined>, now: number): void;
  take(now: number): void;
}

const WAITING = [100, 10_000, 1_000_000];
/** A run lasts about so long, in milliseconds: the peer's operations differ a thousandfold. */
const RUN_MS = 400;
const BATCH = 50;
const SEED = 7;

/**
 * Operations per second of the request queue while so many wait: one request comes, one is taken. Its peer is what one
 * would write first: one sorted array, binary search, splice. Ours also keeps each client's count and answers the place.
 * Then the other side's queue: {@link benchChoice}.
 */
export async function* benchQueue({ runs = 5 }: BenchQueueOptions): AsyncGenerator<BenchEvent> {
  for (const waiting of WAITING) {
    const figures: { ours: number[]; peer: number[] } = { ours: [], peer: [] };
    const ours = new Measured(new OurQueue(waiting + BATCH), waiting);
    const peer = new Measured(new SortedArray(), waiting);
    for (let run = 0; run < runs; run++) {
      figures.ours.push(ours.operationsPerSecond());
      figures.peer.push(peer.operationsPerSecond());
      // Lets other work in: an interrupt, a line of output.
      await new Promise(setImmediate);
    }
    const name = `${waiting.toLocaleString('en')} waiting`;
    const row = {
      bench: 'queue',
      case: name,
      unit: 'operations/s',
      goal: '≥ 100,000',
      peerName: 'sorted array',
      ...figures,
    };
    yield { type: 'row', row: benchRow(row) };
  }
  yield* benchChoice(runs);
}

/** One side, filled with so many requests, and the stream of further ones. */
class Measured {
  readonly #side: Side;
  readonly #random = seededRandom(SEED);
  #made = 0;

  constructor(side: Side, waiting: number) {
    this.#side = side;
    side.fill(Array.from({ length: waiting }, () => [this.#next(), this.#made]));
  }

  operationsPerSecond(): number {
    const started = performance.now();
    let operations = 0;
    while (performance.now() - started < RUN_MS) {
      for (let count = 0; count < BATCH; count++) {
        this.#side.add(this.#next(), this.#made);
        this.#side.take(this.#made);
      }
      operations += 2 * BATCH;
    }
    return (operations * 1000) / (performance.now() - started);
  }

  #next(): QueueItem<undefined> {
    const tier: Tier = TIERS[Math.floor(this.#random.uniform() * TIERS.length)] ?? 'newcomer';
    const id = String(this.#made++);
    return { requestId: id, client: id, tier, value: undefined };
  }
}

class OurQueue implements Side {
  readonly #queue: RequestQueue<undefined>;

  constructor(capacity: number) {
    this.#queue = new RequestQueue({ capacity });
  }

  fill(items: readonly [item: QueueItem<undefined>, at: number][]): void {
    for (const [item, at] of items) this.#queue.add(item, at);
  }

  add(item: QueueItem<undefined>, now: number): void {
    this.#queue.add(item, now);
  }

  take(now: number): void {
    this.#queue.take(now);
  }
}

/** The same order in one array: inserting and taking move whatever stands behind. */
class SortedArray implements Side {
  #items: { key: number; item: QueueItem<undefined> }[] = [];

  fill(items: readonly [item: QueueItem<undefined>, at: number][]): void {
    this.#items = items.map(([item, at]) => ({ key: keyOf(item, at), item })).sort((a, b) => a.key - b.key);
  }

  add(item: QueueItem<undefined>, now: number): void {
    const key = keyOf(item, now);
    let [low, high] = [0, this.#items.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#items[middle]?.key ?? 0) > key) high = middle;
      else low = middle + 1;
    }
    this.#items.splice(low, 0, { key, item });
  }

  take(): void {
    this.#items.shift();
  }
}

function keyOf({ tier }: QueueItem<undefined>, at: number): number {
  return at - tierRank(tier) * MS_PER_RANK;
}
