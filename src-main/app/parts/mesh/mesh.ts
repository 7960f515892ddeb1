import type { Reachability } from '../../../../src-preload/contract/mesh.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { clearCatchUp, setCatchUp } from '../../../backup/restore.ts';
import { closeAll } from '../../../base/close-all.ts';
import type { Answering } from '../../../inference/backend.ts';
import type { ClaimedAnswer } from '../../../mesh/asking/claimed-answer.ts';
import { MeshClient } from '../../../mesh/asking/client.ts';
import { AuditDesk, type AuditDeskOptions, type Found } from '../../../mesh/audits/audit-desk.ts';
import { verdictOf } from '../../../mesh/audits/verdict.ts';
import { CLIPS_CAP } from '../../../mesh/inference/clip-messages.ts';
import type { InferenceMessage } from '../../../mesh/inference/messages.ts';
import { INFERENCE_NETWORK } from '../../../mesh/inference/messages.ts';
import { Peers } from '../../../mesh/peers.ts';
import { reachability } from '../../../mesh/reachability.ts';
import { SCORES_NETWORK } from '../../../mesh/scores/score-messages.ts';
import { ScoreNetwork } from '../../../mesh/scores/score-network.ts';
import type { OtherEngines } from '../../../mesh/serving/queue/other-engines.ts';
import { VoucherOffice } from '../../../mesh/serving/voucher-office.ts';
import { servedModels } from '../../../mesh/serving/worker.ts';
import { bootstrapAddresses } from '../../../mesh/transport/address.ts';
import { VALIDATOR_CAP } from '../../../mesh/transport/messages.ts';
import { MeshNetwork } from '../../../mesh/transport/network.ts';
import type { MeshSwarm } from '../../../mesh/transport/swarm.ts';
import type { FixedConfig } from '../../../settings/config.ts';
import type { NodeReading } from '../../node/reading.ts';
import type { Core } from '../core.ts';
import type { CreditsPart } from '../credits.ts';
import { AS_MINER, type Lack, need } from '../need.ts';
import type { Report } from '../report.ts';
import { createSwarm } from './swarm.ts';

const MB = 1_000_000;

export const NO_MESH: Lack = { message: say('node.notOnMesh'), hint: AS_MINER };

/** What others may do with this node's place in the mesh. */
export interface MeshPart {
  readonly swarm: MeshSwarm;
  readonly inference: MeshNetwork<InferenceMessage>;
  readonly client: Pick<MeshClient, 'generate' | 'workers' | 'clips'>;
  readonly scores: Pick<ScoreNetwork, 'standing' | 'marks' | 'hindrance'>;
  readonly peers: Peers;
  /** How others find this node. */
  reachability(): Reachability;
  /** Requests and connections turned away since the start. */
  readonly refused: number;
}

export interface MeshNeeds {
  credits: CreditsPart;
  /** What this node serves to others; absent where it only asks. */
  backend: Answering | undefined;
  /** What it offers beside that. */
  offered: OtherEngines | undefined;
  /** By which model answers of others are held, and where what comes of that is kept. */
  audits: Pick<AuditDeskOptions, 'auditor' | 'store'>;
}

/** Joins the mesh. @throws PROTOCOL where the swarm cannot be opened */
export async function openMesh(core: Core, needs: MeshNeeds): Promise<MeshPart> {
  const node = new MeshNode(core, needs);
  core.onClose(() => node.close());
  await node.open();
  core.standings.learnFrom(node.scores);
  return node;
}

/** @param read also where the node is on no mesh: then that is told */
export function meshReport(mesh: MeshPart | undefined, read: () => NodeReading): Report {
  return {
    figures: [
      { name: 'quarry_peers', help: 'Connected peers.', read: () => read().peers },
      {
        name: 'quarry_mesh_refused_total',
        help: 'Requests of the mesh that were refused.',
        kind: 'total',
        read: () => read().served.refused,
      },
    ],
    health: () => ({ peers: read().peers }),
    diagnostics: {
      reachability: async () => need(mesh, NO_MESH).reachability(),
      refusals: async () => mesh?.swarm.refusals.counts(),
    },
  };
}

/** One swarm, the inference and score networks, and a client. A resource. */
class MeshNode implements MeshPart {
  readonly #config: FixedConfig;
  readonly swarm: MeshSwarm;
  readonly inference: MeshNetwork<InferenceMessage>;
  readonly client: MeshClient;
  readonly #vouchers: VoucherOffice;
  readonly scores: ScoreNetwork;
  readonly peers: Peers;
  readonly #audits: AuditDesk;

  constructor(core: Core, { credits, backend, offered, audits }: MeshNeeds) {
    const { config, identity, db, bans, standings, changes, until, log } = core;
    this.#config = config;
    this.swarm = createSwarm(core, identity, { knows: credits.hasEarned });
    const mode = backend ? 'both' : 'client';
    const sides = backend ? (['worker', 'client'] as const) : (['client'] as const);
    const role = config.role === 'validator' ? [VALIDATOR_CAP] : [];
    const validators = core.settings.follow('data.meshValidators');
    const caps = () => (backend && validators.now.length > 0 ? [...role, CLIPS_CAP] : role);
    const describe = () => ({ sides: [...sides], models: backend ? servedModels(backend, offered) : [], caps: caps() });
    this.inference = new MeshNetwork({ ...INFERENCE_NETWORK, swarm: this.swarm, mode, describe, log });
    const scores = new MeshNetwork({ ...SCORES_NETWORK, swarm: this.swarm, mode: 'both', describe, log });
    const onFound = (found: Found) => this.#condemn(found);
    this.#audits = new AuditDesk({ ...audits, onFound, log });
    const onClaimed = (answer: ClaimedAnswer) => this.#audits.take(answer);
    const isShunned = (worker: string) => this.scores.isOfAnotherModel(worker);
    const asking = { network: this.inference, identity, credits: credits.client };
    this.client = new MeshClient({ ...asking, onClaimed, isShunned, log });
    this.#vouchers = new VoucherOffice({ network: this.inference, credits: credits.vouchers, log });
    this.scores = new ScoreNetwork({
      network: scores,
      identity,
      credits,
      db,
      dataDir: config.dataDir,
      maxLogBytes: config.mesh.scoreLogsMb * MB,
      catchUp: core.catchUp,
      onOwn: (state) => void this.#keepMark(state, core),
      log,
    });
    const { inference, client } = this;
    this.peers = new Peers({
      self: identity.id,
      inference,
      client,
      scores: this.scores,
      bans,
      standings,
      debts: credits,
      changes,
      until,
    });
  }

  get refused(): number {
    return Object.values(this.swarm.refusals.counts()).reduce((sum, count) => sum + count, 0);
  }

  reachability(): Reachability {
    return reachability(this.swarm.dht, bootstrapAddresses(this.#config.bootstrap) ?? []);
  }

  /** A worker that has used another model than it declares is a newcomer again, and nobody that this node asks. */
  #condemn({ worker, model, finding }: Found): void {
    this.scores.condemn(worker, verdictOf(finding), { model, finding });
    this.inference.peers.get(worker)?.offend('false claim', 'another model than it declares');
  }

  /** Whether this node asks others first at its next start, too. */
  async #keepMark(state: 'live' | 'split', { config, changes, log }: Core): Promise<void> {
    changes.tell();
    try {
      if (state === 'split') await setCatchUp(config.dataDir, Date.now());
      else await clearCatchUp(config.dataDir);
    } catch (err) {
      log.error({ err }, 'whether this node has to catch up could not be noted');
    }
  }

  async open(): Promise<void> {
    await this.swarm.open();
    await this.scores.open();
    await this.inference.open();
    await this.client.open();
    this.#vouchers.open();
  }

  async close(): Promise<void> {
    const parts = [this.#vouchers, this.client, this.#audits, this.inference, this.scores, this.swarm];
    await closeAll(...parts.map((part) => () => part.close()));
  }
}
