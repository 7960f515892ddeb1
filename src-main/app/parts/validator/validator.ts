import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { PracticeEvent, PracticeRequest } from '../../../../src-preload/contract/validator.ts';
import type {
  MinerCheck,
  RunStateView,
  StartRequest,
  WeightSetting,
} from '../../../../src-preload/contract/validator-run.ts';
import { watched } from '../../../base/watched.ts';
import type { Figure } from '../../../server/figures.ts';
import { ClipSubmissionStore } from '../../../store/clips/clip-submissions.ts';
import type { Practised } from '../../../validation/practice.ts';
import { signResult } from '../../../validation/result.ts';
import { openAsking } from '../../validator/asking.ts';
import { chosen } from '../../validator/chosen.ts';
import { clipLooks } from '../../validator/clip-looks.ts';
import { validatorFigures } from '../../validator/figures.ts';
import { validatorHealth } from '../../validator/health.ts';
import { LastWeights } from '../../validator/last-weights.ts';
import { MinerDesk } from '../../validator/miner-desk.ts';
import { answerer, kept, practised } from '../../validator/practice.ts';
import { ResultDesk } from '../../validator/result-desk.ts';
import { SubnetLook } from '../../validator/subnet-look.ts';
import { weightsInForce } from '../../validator/weights-in-force.ts';
import type { ChainPart } from '../bittensor/chain.ts';
import type { WalletPart } from '../bittensor/wallet.ts';
import type { Core } from '../core.ts';
import type { EnginePart } from '../engine.ts';
import type { InferencePart } from '../inference/inference.ts';
import type { MeshPart } from '../mesh/mesh.ts';
import type { HealthDetails, Report } from '../report.ts';
import type { ChallengesPart } from './challenges.ts';
import type { ResultsPart } from './results.ts';

/** Asks miners what only who can think answers, keeps what they said, and weighs it; and this machine’s own model, to try it out. */
export interface ValidatorPart {
  readonly results: ResultDesk;
  readonly miners: MinerDesk;
  /** Asks a miner at an address of its own something small. @throws BAD_REQUEST for none of this name; what keeps it from answering */
  checkMiner(name: string, signal?: AbortSignal): Promise<MinerCheck>;
  /** @throws BAD_REQUEST for what there is not; what asking the model throws, if it goes on doing so */
  practise(request: PracticeRequest, signal?: AbortSignal): AsyncGenerator<PracticeEvent, void, undefined>;
  /** Begins to ask miners, and keeps that it does. @throws what keeps it from beginning */
  start(request?: StartRequest): Promise<void>;
  /** Ends that within seconds, and keeps it. */
  stop(): Promise<void>;
  run(signal?: AbortSignal): AsyncGenerator<RunStateView, void, undefined>;
  /** Sets weights on the chain now. @throws what keeps them from being set */
  setWeights(signal?: AbortSignal): Promise<WeightSetting>;
  /** For `/metrics`. */
  readonly figures: readonly Figure[];
  /** For `/healthz`. */
  health(): HealthDetails;
  /** For `quarry doctor`. */
  readonly checks: NonNullable<Report['checks']>;
}

interface ValidatorNeeds {
  results: ResultsPart;
  challenges: Pick<ChallengesPart, 'known'>;
  inference: Pick<InferencePart, 'ask'>;
  engine: EnginePart | undefined;
  mesh: Pick<MeshPart, 'client'> | undefined;
  wallet: Pick<WalletPart, 'wallets'>;
  chain: Pick<ChainPart, 'neurons' | 'committed' | 'neuron' | 'rules' | 'calls' | 'draft' | 'send'>;
  /** Whether the node stays: then it begins to ask as its settings say, and keeps whether it is to. */
  stays: boolean;
}

export async function openValidator(core: Core, needs: ValidatorNeeds): Promise<ValidatorPart> {
  const { config, identity, settings, changes, until, log, onDrain, onClose } = core;
  const { results, chain, stays } = needs;
  const { known } = needs.challenges;
  const followed = settings.follow('validator');
  const subnet = new SubnetLook({ netuid: () => followed.now.netuid, committed: chain.committed, log });
  const { control, keeper } = openAsking({
    ...{ settings: () => followed.now, results: results.db, known, identity, log },
    mesh: needs.mesh,
    wallets: () => needs.wallet.wallets(),
    ...{ chain, subnet },
    allowInside: config.bittensor.network === 'local',
    graceMs: config.drainSeconds * 1_000,
    onChange: () => changes.tell(),
  });
  let notBegun: QuarryError | undefined;
  const start = async (request?: StartRequest) => {
    await control.start(request);
    notBegun = undefined;
    keeper.open();
  };
  const stop = async () => {
    notBegun = undefined;
    await Promise.all([control.stop(), keeper.close()]);
  };
  onDrain(stop);
  onClose(stop);
  const keep = async (enabled: boolean) => {
    if (stays && followed.now.enabled !== enabled) await settings.set({ changes: { 'validator.enabled': enabled } });
  };
  if (stays && (followed.now.enabled ?? config.role === 'validator')) {
    await start().catch((err: unknown) => {
      notBegun = QuarryError.from(err);
      log.error({ err }, 'the validator cannot begin');
    });
  }
  const { opened } = results;
  const looked = { known, settings: () => followed.now, own: identity.id };
  const last = new LastWeights({ reckon: () => weightsInForce({ ...looked, results: results.db, subnet }), log });
  onClose(() => last.close());
  onClose(() => subnet.close());
  const miners = new MinerDesk(opened);
  const looks = clipLooks(new ClipSubmissionStore(core.db));
  return {
    results: new ResultDesk({ ...looked, opened, subnet, until }),
    miners,
    checkMiner: (name, signal) => miners.check(name, { log, signal: until(signal) }),
    async *practise(request, signal) {
      const into = request.keep ? await opened() : undefined;
      const put = async (judged: Practised) =>
        void (await into?.add(signResult(kept(judged, answerer(needs.engine)), identity)));
      const environments = chosen(await known.lookFor(request.environments), request);
      yield* practised(needs, { ...request, environments }, put, signal);
    },
    async start(request) {
      await start(request);
      await keep(true);
    },
    async stop() {
      await stop();
      await keep(false);
    },
    run: (signal) => watched(() => ({ ...control.view(), weights: keeper.view() }), changes, until(signal)),
    setWeights: (signal) => keeper.setNow(until(signal)),
    figures: [...validatorFigures({ control, keeper, last }), ...looks.figures],
    checks: looks.checks,
    health: () => validatorHealth({ control, keeper, notBegun: () => notBegun }),
  };
}

export function validatorReport({
  figures,
  health,
  checks,
}: Pick<ValidatorPart, 'figures' | 'health' | 'checks'>): Report {
  return { figures, health, checks };
}
