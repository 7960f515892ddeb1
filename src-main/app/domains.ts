import type { Config } from '../settings/config.ts';
import { InferenceAuditStore } from '../store/mesh/inference-audits.ts';
import type { Sending } from '../subnets/omega/market/client/ports.ts';
import { readNode } from './node/reading.ts';
import { backupReport, openBackup } from './parts/backup.ts';
import { axonReport, openAxonPart } from './parts/bittensor/axon.ts';
import { chainReport, openChain, usesBittensor } from './parts/bittensor/chain.ts';
import { openWallet } from './parts/bittensor/wallet.ts';
import { competitionReport, openCompetition } from './parts/competition/competition.ts';
import { openCompetitor } from './parts/competition/competitor.ts';
import { gpuJudge } from './parts/competition/gpu-judge.ts';
import { kernelJudge } from './parts/competition/kernel-judge.ts';
import type { Core, Surroundings } from './parts/core.ts';
import { openCredits } from './parts/credits.ts';
import { openClips } from './parts/data/clips.ts';
import { dataReport } from './parts/data/data-report.ts';
import { openEnergy } from './parts/energy.ts';
import { engineReport, openEmbedding, openEngine, wantsModel } from './parts/engine.ts';
import { openFocus } from './parts/focus/focus.ts';
import { marketReport, openMarket } from './parts/focus/market.ts';
import { openTrade } from './parts/focus/trade.ts';
import { openConversations, openPresets } from './parts/inference/conversations.ts';
import { openEvaluation } from './parts/inference/evaluation.ts';
import { openInference } from './parts/inference/inference.ts';
import { modelsReport, openFits, openLibrary, openModels } from './parts/inference/models.ts';
import { openOptimiser } from './parts/inference/optimiser.ts';
import { adapterPort } from './parts/learning/adapter-port.ts';
import { openLearning } from './parts/learning/learning.ts';
import { openLearningDoor } from './parts/learning/learning-door.ts';
import { learningReport } from './parts/learning/learning-report.ts';
import { openLearningRuns } from './parts/learning/learning-runs.ts';
import { openLearningTorch } from './parts/learning/learning-torch.ts';
import { learningTrainersReport } from './parts/learning/learning-trainers.ts';
import { ledgerCheckReport, openLedgerCheck } from './parts/ledger-check.ts';
import { auditorOf, openAudits } from './parts/mesh/audits.ts';
import { openMeshClips } from './parts/mesh/clips.ts';
import { fleetReport, openFleet } from './parts/mesh/fleet.ts';
import { meshReport, openMesh } from './parts/mesh/mesh.ts';
import { miningReport, openMining, wantsMining } from './parts/mesh/mining.ts';
import { openOffered } from './parts/mesh/offered.ts';
import { openSharing, wantsSharing } from './parts/mesh/sharing.ts';
import { openActivity } from './parts/node/activity.ts';
import { openEarning } from './parts/node/earning.ts';
import { openNode } from './parts/node/node.ts';
import { openSamples, samplesReport } from './parts/node/samples.ts';
import { openPolicy } from './parts/policy.ts';
import { openProbing } from './parts/probing.ts';
import type { Report } from './parts/report.ts';
import { openUpdates, updatesReport } from './parts/updates.ts';
import { openChallenges } from './parts/validator/challenges.ts';
import { openResults } from './parts/validator/results.ts';
import { openSandboxPart } from './parts/validator/sandbox.ts';
import { openValidator, validatorReport } from './parts/validator/validator.ts';
import { auditsRoutes } from './routes/audits.ts';
import { axonRoutes } from './routes/axon.ts';
import { backupRoutes } from './routes/backup.ts';
import { chainRoutes } from './routes/chain.ts';
import { competitionRoutes } from './routes/competition.ts';
import { conversationsRoutes } from './routes/conversations.ts';
import { creditsRoutes } from './routes/credits.ts';
import { dataRoutes } from './routes/data.ts';
import { dataCalibrationRoutes } from './routes/data-calibration.ts';
import { dataModelsRoutes } from './routes/data-models.ts';
import { dataSetRoutes } from './routes/data-set.ts';
import { desktopRoutes } from './routes/desktop.ts';
import { evaluationRoutes } from './routes/evaluation.ts';
import { fleetRoutes } from './routes/fleet.ts';
import { focusRoutes } from './routes/focus.ts';
import { implementer } from './routes/implementer.ts';
import { inferenceRoutes } from './routes/inference.ts';
import { learningRoutes } from './routes/learning.ts';
import { marketRoutes } from './routes/market.ts';
import { meshRoutes } from './routes/mesh.ts';
import { modelsRoutes } from './routes/models.ts';
import { nodeRoutes } from './routes/node.ts';
import { optimiserRoutes } from './routes/optimiser.ts';
import { settingsRoutes } from './routes/settings.ts';
import { tradeRoutes } from './routes/trade.ts';
import { validatorRoutes } from './routes/validator.ts';
import { walletRoutes } from './routes/wallet.ts';

/** What not every node has, and which of those that stay have it, by their settings. */
const WANTS = {
  /** Load a model at the start. */
  engine: wantsModel,
  /** Know what was learnt and how, whether or not a model is loaded. */
  learning: () => true,
  /** Join the mesh. */
  mesh: () => true,
  /** Join the models network: share model files, and fetch them from peers. */
  sharing: wantsSharing,
  /** Be able to serve the mesh; wants `mesh`. With `engine` it begins at once. */
  worker: wantsMining,
  /** Keep in touch with the other nodes of its owner; wants `mesh`. */
  fleet: () => true,
  /** Listen for the screens, the OpenAI API and the contract. */
  server: () => true,
} satisfies Record<string, (config: Config) => boolean>;

/** Which parts of a node are opened; the others every node has. */
export type WantedParts = { [Name in keyof typeof WANTS]?: boolean };

/** What a node that stays has, by its settings: see each part. */
export function wantedParts(config: Config): WantedParts {
  return Object.fromEntries(Object.entries(WANTS).map(([name, wants]) => [name, wants(config)]));
}

/** What a node is made of. A part that is undefined was not wanted: see {@link WantedParts}. */
export type Parts = Readonly<Awaited<ReturnType<typeof openParts>>>;

/** All parts, and what tells of the node that they make. @param surroundings who restarts and stops it */
export async function openParts(
  core: Core,
  wanted: WantedParts,
  { restart, stop }: Pick<Surroundings, 'restart' | 'stop'>,
) {
  const parts = await openDomains(core, wanted, restart);
  const reports = reportsOf(core, parts);
  const node = openNode(core, { ...parts, reports, restart, stop });
  return { ...parts, reports, node };
}

type Domains = Awaited<ReturnType<typeof openDomains>>;

/**
 * The one list of parts, in the order in which they are opened; each takes what it needs of those before it, and says with
 * `core.onClose` what is to be done when the node closes.
 */
async function openDomains(core: Core, wanted: WantedParts, restart: Surroundings['restart']) {
  const credits = await openCredits(core);
  const library = await openLibrary(core);
  const hasEngine = wanted.engine || wanted.learning || wanted.worker || wanted.server;
  const embedding = openEmbedding(core, library);
  const fits = openFits(core, { engine: () => engine, embedding, library });
  const engine = hasEngine ? await openEngine(core, { library, fits }) : undefined;
  if (wanted.engine && !wanted.worker) await engine?.slot.open();
  const auditing = { store: new InferenceAuditStore(core.db), auditor: () => auditorOf(engine) };
  const backend = wanted.worker ? engine?.slot : undefined;
  const offered = wanted.worker && engine ? openOffered(core, { library, fits, engine }) : undefined;
  const [mesh, sharing] = await bothNetworks(
    wanted.mesh && openMesh(core, { credits, backend, offered: offered?.models, audits: auditing }),
    wanted.sharing && openSharing(core),
  );
  const policy = engine && (wanted.worker || wanted.server) ? await openPolicy(core, engine) : undefined;
  const mining =
    wanted.worker && engine && mesh && policy
      ? await openMining(core, { library, credits, engine, offered, mesh, policy })
      : undefined;
  const resume = wanted.server ?? false;
  const learning = await openLearning(core, { library, engine, sharing });
  const { offers } = learning.versions;
  const models = await openModels(core, { library, engine, fits, mining, offered, sharing, adapters: offers, resume });
  const { keeper } = learning;
  const inference = openInference({ ...core, engine, mesh, mining, keeper, learnt: learning.versions.models });
  const conversations = await openConversations(core, { inference, keeper, engine, embedding, mesh });
  const energy = openEnergy(core, { engine, looks: wanted.server ?? false });
  const presets = openPresets(core);
  const read = () => readNode({ engine, mesh, mining, energy });
  const fleet = wanted.fleet && mesh ? await openFleet(core, { mesh, mining, credits, energy, read }) : undefined;
  const samples = wanted.server ? openSamples(core, { mining, read }) : undefined; // nobody else could look at them
  const activity = await openActivity(core, { mining: wanted.server ? mining : undefined, mesh, energy, read });
  const earning = openEarning(core, { credits, models });
  const ledgerCheck = wanted.server ? openLedgerCheck(core, credits) : undefined; // a single command has no time for it
  const backup = openBackup(core, restart);
  const wallet = openWallet(core);
  const chain = await openChain(core, { wallet, stays: wanted.server ?? false });
  const clips = await openClips(core, { policy, stays: resume });
  if (mesh && mining) openMeshClips(core, { mesh, clips: clips.worker });
  const axon =
    engine && mesh && mining
      ? await openAxonPart(core, { engine, mesh, mining, clips, wallet, neurons: chain.neurons, opens: resume })
      : undefined;
  const sandbox = openSandboxPart(core);
  const learningTorch = openLearningTorch(core);
  const toLearn = { library, torch: learningTorch, fleet, learning, policy, mining, energy, stays: resume };
  const learningRuns = engine && (await openLearningRuns(core, { engine, ...toLearn }));
  const learningDoor = openLearningDoor({
    learning,
    engine,
    adapters: adapterPort(learning.versions),
    runs: learningRuns?.port,
  });
  const probing = openProbing({ engine });
  const results = openResults(core);
  const audits = openAudits(core, { store: auditing.store, engine, mesh });
  const thresholds = audits.probeThresholds;
  const challenges = openChallenges(core, { results, sandbox, engine, thresholds, ofOmega: clips.environments });
  const asks = { results, challenges, inference, engine, mesh, wallet, chain };
  const validator = await openValidator(core, { ...asks, stays: resume });
  const kernels = kernelJudge(core.ports.spawner);
  const gpu = gpuJudge(core);
  const competition = await openCompetition(core, { wallet, chain, results, kernels, gpu, stays: resume });
  const evaluation = await openEvaluation(core, { inference, engine, models, wallet, chain });
  const optimiser = await openOptimiser(core, { evaluation, kernels });
  // The market comes after: it is asked when somebody looks at tasks.
  const platform = async () => await trade.desk.tasks();
  const focus = await openFocus(core, { stays: resume, embedding, platform });
  const onSending = ({ recording, what, to, bytes }: Sending) =>
    focus.consent.note({ recording, what, to, bytes }, core.until());
  const trade = await openTrade(core, { chain, wallet, focus, onSending, stays: resume });
  const market = await openMarket(core, {
    wallet,
    chain,
    boosted: focus.boosted,
    show: (path, lasts) => focus.videos.show(path, lasts),
    stays: resume,
  });
  const competitor = await openCompetitor(core, { wallet, kernels, gpu, stays: resume });
  const updates = await openUpdates(core, { stays: wanted.server ?? false });
  return {
    credits,
    ledgerCheck,
    library,
    engine,
    mesh,
    sharing,
    mining,
    models,
    inference,
    conversations,
    presets,
    samples,
    energy,
    activity,
    earning,
    fleet,
    backup,
    updates,
    wallet,
    axon,
    chain,
    challenges,
    validator,
    competition,
    evaluation,
    optimiser,
    audits,
    focus,
    trade,
    market,
    competitor,
    clips,
    learning,
    learningDoor,
    probing,
    learningRuns,
    learningTorch,
    read,
  };
}

/** The one list of what tells of the parts. */
function reportsOf(core: Core, parts: Domains): Report[] {
  const { axon, chain, learning, learningRuns, competition, market, read } = parts;
  return [
    ledgerCheckReport(parts.ledgerCheck),
    engineReport(parts.engine, read),
    meshReport(parts.mesh, read),
    miningReport(read),
    modelsReport(parts.models),
    samplesReport(parts.samples),
    fleetReport(parts.fleet),
    backupReport(parts.backup, parts.credits),
    updatesReport(parts.updates),
    dataReport(parts.clips),
    axonReport(axon, core.settings.follow('axon').now.wallet !== undefined),
    chainReport(chain, { isUsed: usesBittensor(core) }),
    validatorReport(parts.validator),
    competitionReport(competition, { isSet: () => core.settings.follow('competition').now.enabled }),
    learningReport(learning, learningRuns),
    learningTrainersReport(learningRuns?.trainers),
    marketReport(market, { isSet: () => core.settings.follow('market').now.enabled }),
  ];
}

/** The one list of what implements the contract. The same router serves HTTP, WebSockets, windows and the command line. */
export function createRouter(core: Core, parts: Parts) {
  const { os, domain } = implementer(core.log);
  return os.router({
    node: nodeRoutes(domain('node'), { ...parts, core }),
    inference: inferenceRoutes(domain('inference'), parts.inference),
    conversations: conversationsRoutes(domain('conversations'), parts),
    mesh: meshRoutes(domain('mesh'), parts.mesh),
    fleet: fleetRoutes(domain('fleet'), parts.fleet),
    credits: creditsRoutes(domain('credits'), parts),
    models: modelsRoutes(domain('models'), parts.models, core),
    settings: settingsRoutes(domain('settings'), core.settings, parts.models),
    desktop: desktopRoutes(domain('desktop'), core),
    backup: backupRoutes(domain('backup'), parts.backup, core),
    wallet: walletRoutes(domain('wallet'), parts.wallet),
    axon: axonRoutes(domain('axon'), parts.axon),
    chain: chainRoutes(domain('chain'), parts.chain),
    validator: validatorRoutes(domain('validator'), parts),
    evaluation: evaluationRoutes(domain('evaluation'), parts),
    optimiser: optimiserRoutes(domain('optimiser'), parts.optimiser),
    audits: auditsRoutes(domain('audits'), parts.audits, core),
    focus: focusRoutes(domain('focus'), parts.focus, core),
    trade: tradeRoutes(domain('trade'), parts.trade, core),
    market: marketRoutes(domain('market'), parts.market),
    competition: competitionRoutes(domain('competition'), parts),
    data: {
      ...dataRoutes(domain('data'), parts.clips, core),
      ...dataModelsRoutes(domain('data'), parts.clips.models, core),
      ...dataCalibrationRoutes(domain('data'), parts.clips.calibration, core),
      ...dataSetRoutes(domain('data'), parts.clips.dataSet, core),
    },
    learning: learningRoutes(domain('learning'), parts, core),
  });
}

/** Both at once: each waits a moment for the DHT. When one fails, the other has come to rest before that is thrown. */
async function bothNetworks<Mesh, Sharing>(
  ...opening: [Promise<Mesh> | false | undefined, Promise<Sharing> | false | undefined]
): Promise<[Mesh | undefined, Sharing | undefined]> {
  await Promise.allSettled(opening);
  const [mesh, sharing] = await Promise.all(opening);
  return [mesh || undefined, sharing || undefined];
}
