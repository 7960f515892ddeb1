import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { performance } from 'node:perf_hooks';
import { pino } from 'pino';
import { Ask } from '../mesh/asking/ask.ts';
import { Experience } from '../mesh/asking/experience.ts';
import { OwnClaims } from '../mesh/asking/own-claims.ts';
import { WorkerChoice } from '../mesh/asking/worker-choice.ts';
import type { InferenceMessage, Status } from '../mesh/inference/messages.ts';
import { signEvidence } from '../mesh/transport/envelope.ts';
import { type Identity, identityFromSeed } from '../mesh/transport/identity.ts';
import { MeshNetwork } from '../mesh/transport/network.ts';
import { type BenchEvent, benchRow } from './row.ts';

const WORKERS = 1_000;
const ASKS = 1_000;
/** Statuses, or choices, of a run. */
const TIMES = 50;
const HOUR = 3_600_000;

const FULL: Status['queue'] = { waiting: 64, running: 4, parallel: 4, capacity: 64 };
const ROOM_FOR_ONE: Status['queue'] = { ...FULL, waiting: 63 };
const ROOM_FOR_ALL: Status['queue'] = { ...FULL, capacity: 1_000_000_000 };

/**
 * What the choice of a worker costs a client while 1,000 questions wait for 1,000 workers: milliseconds that a status
 * takes, its signature checked and those that it wakes on their way, and a choice among all.
 */
export async function* benchChoice(runs: number): AsyncGenerator<BenchEvent> {
  const mesh = new CrowdedMesh();
  try {
    const cases: [name: string, goal: string | null, measure: () => Promise<number>][] = [
      ['a status without room', '≤ 5', () => mesh.statusMs(FULL)],
      ['a status with room for one', '≤ 5', () => mesh.statusMs(ROOM_FOR_ONE)],
      ['a status that claims room for all', '≤ 5', () => mesh.statusMs(ROOM_FOR_ALL)],
      ['among all', '≤ 5', () => mesh.choiceMs()],
    ];
    for (const [name, goal, measure] of cases) {
      const ours: number[] = [];
      for (let run = 0; run < runs; run++) ours.push(await measure());
      yield { type: 'row', row: benchRow({ bench: 'queue', case: `choice, ${name}`, unit: 'ms', goal, ours }) };
    }
  } finally {
    mesh.close();
  }
}

const NOTHING_OWED = { owedBy: () => 0, waysTo: () => [], corrected: async () => {} };

/** Workers without connections, and questions that wait for them. */
class CrowdedMesh {
  readonly #peers = new Map(
    Array.from({ length: WORKERS }, (_, index) => crowdPeer(index)).map((each) => [each.id, each]),
  );
  readonly #choice: WorkerChoice;
  readonly #asks = new Set<Ask>();
  #seq = 0;

  constructor() {
    // As much of a network as a choice of workers sees.
    const network = Object.assign(new EventEmitter(), {
      peers: this.#peers,
      follow: MeshNetwork.prototype.follow,
    }) as unknown as MeshNetwork<InferenceMessage>;
    this.#choice = new WorkerChoice({
      network,
      known: new Experience(),
      claims: new OwnClaims({ credits: NOTHING_OWED, there: () => [], now: Date.now, log: pino({ level: 'silent' }) }),
      findWorkerMs: HOUR,
      random: Math.random,
      now: Date.now,
    });
    this.#choice.open();
    for (const peer of this.#peers.values()) this.#say(peer, FULL);
    this.#crowd();
  }

  async statusMs(queue: Status['queue']): Promise<number> {
    let spentMs = 0;
    for (const peer of [...this.#peers.values()].slice(0, TIMES)) {
      const status = this.#status(peer, queue);
      const started = performance.now();
      peer.emit('message', status);
      await new Promise(setImmediate); // all that were woken have gone their way
      spentMs += performance.now() - started;
      this.#say(peer, FULL);
      this.#crowd();
    }
    return spentMs / TIMES;
  }

  async choiceMs(): Promise<number> {
    for (const peer of this.#peers.values()) this.#say(peer, { ...FULL, running: 0, waiting: 0 });
    const ask = newAsk();
    const started = performance.now();
    for (let time = 0; time < TIMES; time++) await this.#choice.wait(ask);
    const spentMs = performance.now() - started;
    ask.end();
    return spentMs / TIMES;
  }

  close(): void {
    this.#choice.close();
    for (const ask of this.#asks) ask.end();
  }

  /** Fills up those who wait. */
  #crowd(): void {
    while (this.#asks.size < ASKS) {
      const ask = newAsk();
      this.#asks.add(ask);
      const gone = () => {
        ask.end();
        this.#asks.delete(ask);
      };
      this.#choice.wait(ask).then(gone, gone);
    }
  }

  #say(peer: CrowdPeer, queue: Status['queue']): void {
    peer.emit('message', this.#status(peer, queue));
  }

  #status({ identity }: CrowdPeer, queue: Status['queue']): Status {
    return signEvidence<Status>(
      {
        type: 'status',
        seq: this.#seq++,
        ready: true,
        health: { score: 90, state: 'idle', capacity: 100 },
        queue,
        points: 0,
        tier: 'newcomer',
        models: [{ name: 'm', contextSize: 4_096 }],
      },
      identity,
      Date.now(),
    );
  }
}

type CrowdPeer = ReturnType<typeof crowdPeer>;

function crowdPeer(index: number) {
  const seed = Buffer.alloc(32);
  seed.writeUInt32BE(index);
  const identity: Identity = identityFromSeed(seed);
  const events = new EventEmitter();
  const onMessage = (listener: (message: InferenceMessage) => void) => events.on('message', listener);
  const screen = () => {};
  const [rttMs] = randomBytes(1);
  return Object.assign(events, { id: identity.id, identity, sides: ['worker'], rttMs, onMessage, screen });
}

function newAsk(): Ask {
  return new Ask({
    request: { input: { prompt: 'x' } },
    model: 'm',
    deadlineMs: HOUR,
    attempts: 8,
    signals: [],
    now: Date.now,
  });
}
