import { once } from 'node:events';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { PeersView, PeerView } from '../../src-preload/contract/mesh.ts';
import { say } from '../../src-preload/contract/saying.ts';
import type { Changes } from '../base/changes.ts';
import { ignoring } from '../base/swallowed.ts';
import { watched } from '../base/watched.ts';
import type { Standing } from '../credits/credits.ts';
import type { MeshClient } from './asking/client.ts';
import type { InferenceMessage } from './inference/messages.ts';
import type { Mark } from './scores/score-marks.ts';
import type { ScoreNetwork } from './scores/score-network.ts';
import type { BanList } from './transport/guards/ban-list.ts';
import type { MeshNetwork } from './transport/network.ts';
import type { Peer } from './transport/peer.ts';

type WorkerStatus = ReturnType<MeshClient['workers']>[number]['status'];

/** Without a new peer for this long, whoever is near has been met. */
const PEERS_QUIET_MS = 1_000;
/** Marks that are shown. Keys cost nothing: there may be thousands. */
const MARKS_SHOWN = 100;

export interface PeersOptions {
  /** This node's id. */
  self: string;
  inference: MeshNetwork<InferenceMessage>;
  client: Pick<MeshClient, 'workers'>;
  scores: Pick<ScoreNetwork, 'marks'>;
  bans: Pick<BanList, 'ban' | 'lift' | 'list'>;
  standings: { of(id: string): Standing };
  /** What a peer and this node owe each other. */
  debts: { between(id: string): Pick<PeerView, 'owes' | 'owed'> };
  changes: Changes;
  until: (signal?: AbortSignal) => AbortSignal;
}

/** Who is connected, and who is kept out. */
export class Peers {
  readonly #options: PeersOptions;

  constructor(options: PeersOptions) {
    this.#options = options;
  }

  /** How many are connected. */
  get count(): number {
    return this.#options.inference.peers.size;
  }

  isHere(id: string): boolean {
    return this.#options.inference.peers.has(id);
  }

  /** Milliseconds that each one's clock was ahead of ours when it greeted. */
  clockOffsets(): number[] {
    return [...this.#options.inference.peers.values()].map(({ clockOffsetMs }) => clockOffsetMs);
  }

  view(): PeersView {
    const { self, inference, client, bans, scores } = this.#options;
    const workers = new Map(client.workers().map(({ peer, status }) => [peer.id, status]));
    return {
      self,
      peers: [...inference.peers.values()].map((peer) => this.#peerView(peer, workers.get(peer.id))),
      bans: bans.list().map(({ nodeId, reason, expiresAt }) => ({ id: nodeId, reason, expiresAt })),
      ...newest(scores.marks()),
    };
  }

  /** The view, now and whenever it changes. */
  watch(signal?: AbortSignal): AsyncGenerator<PeersView, void, undefined> {
    const { changes, until } = this.#options;
    return watched(() => this.view(), changes, until(signal));
  }

  /**
   * Waits up to `waitMs` for the first peer, then until a second has passed without another.
   * @throws CANCELLED when the signal aborts
   */
  async gather(waitMs: number, signal?: AbortSignal): Promise<PeersView> {
    const { inference } = this.#options;
    const end = AbortSignal.any([AbortSignal.timeout(waitMs), ...(signal ? [signal] : [])]);
    while (!end.aborted) {
      const quiet = inference.peers.size > 0 ? [AbortSignal.timeout(PEERS_QUIET_MS)] : [];
      const met = once(inference, 'peer', { signal: AbortSignal.any([end, ...quiet]) });
      if (!(await met.catch(ignoring('nobody new came in time')))) break;
    }
    if (signal?.aborted) throw new QuarryError({ code: 'CANCELLED', message: say('node.waitCancelled') });
    return this.view();
  }

  /** Ends the connection with a node and refuses it for some hours. @throws BAD_REQUEST for the node itself */
  ban({ id, hours }: { id: string; hours: number }): PeersView {
    if (id === this.#options.self) {
      throw new QuarryError({ code: 'BAD_REQUEST', message: say('node.itself'), field: 'id' });
    }
    this.#options.bans.ban(id, 'banned by hand', hours * 3_600_000);
    return this.view();
  }

  /** Lets a node come back before its ban is over. */
  unban(id: string): PeersView {
    this.#options.bans.lift(id);
    return this.view();
  }

  /** @param status what a worker said of itself last */
  #peerView({ id, sides, isValidator, hello, rttMs }: Peer<InferenceMessage>, status: WorkerStatus): PeerView {
    const { tier, points } = this.#options.standings.of(id);
    const models = status?.models ?? hello.models;
    const toLoad = models.flatMap(({ name, loadMs: ms }) => (ms === undefined ? [] : [{ name, ms }]));
    return {
      id,
      sides: [...sides],
      validator: isValidator,
      models: models.map(({ name }) => name),
      ...(toLoad.length > 0 && { toLoad }),
      ...(models.some(({ sha256 }) => sha256 === undefined) && { unverified: true as const }),
      health: status?.health.score,
      healthState: status?.health.state,
      tier,
      points,
      ...this.#options.debts.between(id),
      rttMs,
      queue: status?.queue.waiting,
      ready: status?.ready ?? false,
    };
  }
}

function newest(marks: Mark[]): Pick<PeersView, 'marks' | 'moreMarks'> {
  const shown = marks.toSorted((a, b) => b.at - a.at).slice(0, MARKS_SHOWN);
  return {
    marks: shown.map(({ worker, at: _, ...mark }) => ({ id: worker, ...mark })),
    moreMarks: marks.length - shown.length,
  };
}
