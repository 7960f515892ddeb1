import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type {
  EnvironmentView,
  PracticeEvent,
  PracticeRequest,
  SampleView,
  WeighRequest,
  WeightsView,
} from '../../../src-preload/contract/validator.ts';
import type {
  ExportedResult,
  OpenedResult,
  OthersResults,
  ReplayView,
  ResultCounts,
  ResultsPage,
  ResultsRequest,
  VerifyEvent,
} from '../../../src-preload/contract/validator-results.ts';
import { MOST_COUNTED_DAYS } from '../../../src-preload/contract/validator-results.ts';
import type {
  EndpointView,
  NewEndpoint,
  RunStateView,
  StartRequest,
  WeightSetting,
} from '../../../src-preload/contract/validator-run.ts';
import { dataPath } from '../../base/data-folder.ts';
import { watched } from '../../base/watched.ts';
import { openSandbox } from '../../sandbox/open-sandbox.ts';
import type { Figure } from '../../server/figures.ts';
import { ResultsDb } from '../../store/results/results-db.ts';
import type { Practised } from '../../validation/practice.ts';
import { signResult } from '../../validation/result.ts';
import { openAsking } from '../validator/asking.ts';
import { chosen } from '../validator/chosen.ts';
import { DatasetDesk } from '../validator/dataset-desk.ts';
import { validatorFigures } from '../validator/figures.ts';
import { withKey } from '../validator/kept-key.ts';
import { KnownEnvironments } from '../validator/known-environments.ts';
import { answerer, kept, practised } from '../validator/practice.ts';
import { openedResult, pageView, replayed } from '../validator/replay-view.ts';
import { verified } from '../validator/verification.ts';
import { stats, weights } from '../validator/weigh-view.ts';
import { signersOf } from '../validator/weights-in-force.ts';
import type { ChainPart } from './chain.ts';
import type { Core } from './core.ts';
import type { EnginePart } from './engine.ts';
import type { InferencePart } from './inference.ts';
import type { MeshPart } from './mesh.ts';
import type { Report } from './report.ts';
import type { WalletPart } from './wallet.ts';

/** Asks miners what only who can think answers, keeps what they said, and weighs it; and this machine’s own model, to try it out. */
export interface ValidatorPart {
  environments(): Promise<EnvironmentView[]>;
  /** @throws BAD_REQUEST for what there is not; what asking the model throws, if it goes on doing so */
  practise(request: PracticeRequest, signal?: AbortSignal): AsyncGenerator<PracticeEvent, void, undefined>;
  stats(since: number): Promise<SampleView[]>;
  /** @throws BAD_REQUEST with the field `preset` */
  weigh(request: WeighRequest): Promise<WeightsView>;
  /** Results that do not count, because no validator has signed them that does. */
  ofOthers(since: number): Promise<OthersResults>;
  results(request: ResultsRequest): Promise<ResultsPage>;
  counts(since: number): Promise<ResultCounts>;
  /** @throws BAD_REQUEST where there is no such result */
  result(id: number): Promise<OpenedResult>;
  /** @throws BAD_REQUEST where there is no such result */
  replay(id: number): Promise<ReplayView>;
  /** Looks whether all results are as they were signed. */
  verify(signal?: AbortSignal): AsyncGenerator<VerifyEvent, void, undefined>;
  export(): AsyncGenerator<ExportedResult, void, undefined>;
  /** Begins to ask miners, and keeps that it does. @throws what keeps it from beginning */
  start(request?: StartRequest): Promise<void>;
  /** Ends that within seconds, and keeps it. */
  stop(): Promise<void>;
  run(signal?: AbortSignal): AsyncGenerator<RunStateView, void, undefined>;
  /** Miners at addresses of their own. */
  miners(): Promise<EndpointView[]>;
  addMiner(endpoint: NewEndpoint): Promise<void>;
  /** @throws BAD_REQUEST where there is none of this name */
  removeMiner(name: string): Promise<void>;
  /** Sets weights on the chain now. @throws what keeps them from being set */
  setWeights(signal?: AbortSignal): Promise<WeightSetting>;
  readonly datasets: DatasetDesk;
  /** For `/metrics`. */
  readonly figures: readonly Figure[];
}

interface ValidatorNeeds {
  inference: Pick<InferencePart, 'ask'>;
  engine: EnginePart | undefined;
  mesh: Pick<MeshPart, 'client'> | undefined;
  wallet: Pick<WalletPart, 'wallets'>;
  chain: Pick<ChainPart, 'neurons' | 'neuron' | 'rules' | 'calls' | 'draft' | 'send'>;
  /** Whether the node stays: then it begins to ask as its settings say, and keeps whether it is to. */
  stays: boolean;
}

const DAY_MS = 86_400_000;

export async function openValidator(core: Core, needs: ValidatorNeeds): Promise<ValidatorPart> {
  const { config, identity, ports, settings, changes, until, log, onDrain, onClose } = core;
  const db = new ResultsDb({ dataDir: config.dataDir, url: config.database });
  onClose(() => db.close());
  const sandbox = openSandbox(config.sandbox, {
    spawner: ports.spawner,
    folder: dataPath(config.dataDir, 'sandbox'),
  });
  onClose(() => sandbox.close());
  const opened = async () => {
    await db.open(); // whoever has no results to keep or to look at needs none
    return db;
  };
  const followed = settings.follow('validator');
  const signers = () => signersOf(identity.id, followed.now);
  const known = new KnownEnvironments(sandbox, opened);
  followed.whenSet(({ environments }) => {
    known.lookFor(environments).catch((err: unknown) => log.warn({ err }, 'which data sets there are is not known'));
  });
  const { control, keeper } = openAsking({
    ...{ settings: () => followed.now, results: db, known, identity, log },
    mesh: needs.mesh,
    wallets: () => needs.wallet.wallets(),
    chain: needs.chain,
    allowInside: config.bittensor.network === 'local',
    graceMs: config.drainSeconds * 1_000,
    onChange: () => changes.tell(),
  });
  const start = async (request?: StartRequest) => {
    await control.start(request);
    keeper.open();
  };
  const stop = async () => void (await Promise.all([control.stop(), keeper.close()]));
  onDrain(stop);
  onClose(stop);
  const keep = async (enabled: boolean) => {
    if (needs.stays && followed.now.enabled !== enabled)
      await settings.set({ changes: { 'validator.enabled': enabled } });
  };
  if (needs.stays && (followed.now.enabled ?? config.role === 'validator')) {
    await start().catch((err: unknown) => log.error({ err }, 'the validator cannot begin'));
  }
  return {
    environments: async () =>
      [...(await known.look()).values()].map(({ name, version, levels }) => ({
        ...{ name, version, levels: [...levels] },
        isUsual: known.usual.has(name),
      })),
    async *practise(request, signal) {
      const results = request.keep ? await opened() : undefined;
      const put = async (judged: Practised) =>
        void (await results?.add(signResult(kept(judged, answerer(needs.engine)), identity)));
      const environments = chosen(await known.lookFor(request.environments), request);
      yield* practised(needs, { ...request, environments }, put, signal);
    },
    stats: async (since) => stats(await opened(), since, signers()),
    weigh: async (request) => weights(await opened(), request, { signers: signers() }),
    ofOthers: async (since) => (await opened()).list.ofOthers(since, signers()),
    results: async ({ before, limit, ...choice }) => {
      const from = before && { createdAt: before.at, id: before.id };
      return pageView(await (await opened()).list.page(choice, { before: from, limit }));
    },
    counts: async (since) => {
      const now = Date.now();
      return (await opened()).list.counts(Math.max(since, now - MOST_COUNTED_DAYS * DAY_MS), now);
    },
    result: async (id) => openedResult(await (await opened()).get(id), id, await known.look()),
    replay: async (id) => replayed(await (await opened()).get(id), id, await known.look()),
    async *verify(signal) {
      yield* verified(await opened(), identity.id, signal);
    },
    async *export() {
      yield* (await opened()).export();
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
    miners: async () =>
      (await (await opened()).endpoints.list()).map(({ apiKey, ...of }) => ({ ...of, hasKey: apiKey !== '' })),
    addMiner: async (endpoint) => {
      const { endpoints } = await opened();
      await endpoints.put(withKey(endpoint, await endpoints.list()));
    },
    removeMiner: async (name) => removed(await (await opened()).endpoints.remove(name), name),
    datasets: new DatasetDesk({
      stored: async () => (await opened()).datasets,
      kinds: known.kinds,
      endpoint: () => followed.now.datasetServer,
      onChange: () => known.look(),
    }),
    figures: validatorFigures({ control, keeper, results: db, known, settings: () => followed.now, own: identity.id }),
  };
}

export function validatorReport({ figures }: Pick<ValidatorPart, 'figures'>): Report {
  return { figures };
}

function removed(wasThere: boolean, name: string): void {
  if (wasThere) return;
  throw new QuarryError({ code: 'BAD_REQUEST', message: say('validation.noMiner', { name }), field: 'name' });
}
