import type { EvaluationFit, EvaluationWish, SuiteView } from '../../../../src-preload/contract/evaluation.ts';
import type { GenerateInput } from '../../../../src-preload/contract/request.ts';
import { Changes } from '../../../base/changes.ts';
import { dataPath } from '../../../base/data-folder.ts';
import { ignoring } from '../../../base/swallowed.ts';
import { checkGguf } from '../../../gguf/model-file.ts';
import type { EngineSlot } from '../../../inference/host/engine-slot.ts';
import { EvaluationStore } from '../../../store/evaluations.ts';
import { suiteViews } from '../../evaluation/askable-suites.ts';
import { evaluationFit } from '../../evaluation/evaluation-fit.ts';
import { EvaluationResults } from '../../evaluation/evaluation-results.ts';
import { EvaluationRuns } from '../../evaluation/evaluation-runs.ts';
import type { AskerKey } from '../../evaluation/examinees/at-axon.ts';
import { namedTarget, openExaminee } from '../../evaluation/examinees/examinees.ts';
import type { ExamineeDoor, OwnFit } from '../../evaluation/examinees/opened-examinee.ts';
import { FilesDesk } from '../../evaluation/files/files-desk.ts';
import { modelsHttpClient } from '../../models/model-downloads.ts';
import { rowsHttpClient } from '../../validator/row-server.ts';
import type { ChainPart } from '../bittensor/chain.ts';
import type { WalletPart } from '../bittensor/wallet.ts';
import type { Core } from '../core.ts';
import { type EnginePart, NO_ENGINE } from '../engine.ts';
import { need } from '../need.ts';
import type { InferencePart } from './inference.ts';
import type { ModelsPart } from './models.ts';

/** How much of long texts models use; every node can find out. */
export interface EvaluationPart {
  /** The kinds of questions that there are. */
  suites(): SuiteView[];
  /** Which lengths fit, before anything is asked. @throws as {@link evaluationFit} */
  fit(wish: EvaluationWish, signal?: AbortSignal): Promise<EvaluationFit>;
  readonly runs: Pick<EvaluationRuns, 'start' | 'resume' | 'pause' | 'remove'>;
  readonly results: EvaluationResults;
  /** The files of published data sets that some questions want. */
  readonly files: FilesDesk;
  /** The ways to whoever can be asked, for what else asks one model again and again. */
  readonly door: ExamineeDoor;
}

export interface EvaluationNeeds {
  inference: Pick<InferencePart, 'ask' | 'askLong'>;
  engine: EnginePart | undefined;
  models: Pick<ModelsPart, 'fits'>;
  wallet: Pick<WalletPart, 'wallets'>;
  chain: Pick<ChainPart, 'neurons'>;
}

export async function openEvaluation(core: Core, needs: EvaluationNeeds): Promise<EvaluationPart> {
  const { config, db, log, onClose, onDrain } = core;
  const door = openDoor(core, needs);
  const [store, changes, folder] = [new EvaluationStore(db), new Changes(), textsFolder(config)];
  const runs = new EvaluationRuns({ ...door, store, changes, folder, log });
  await runs.open();
  onDrain(() => runs.close());
  onClose(() => runs.close());
  return {
    suites: suiteViews,
    fit: (wish, signal) => evaluationFit({ ...door, folder }, wish, signal),
    runs,
    results: new EvaluationResults({ store, changes }),
    files: openFiles(core),
    door,
  };
}

/** The ways to whoever can be asked. */
function openDoor(
  { config, settings, log }: Pick<Core, 'config' | 'settings' | 'log'>,
  { inference, engine, models, wallet, chain }: EvaluationNeeds,
): ExamineeDoor {
  const chosen = settings.follow('model');
  const own = () => {
    const { slot, localUse } = need(engine, NO_ENGINE);
    return {
      named: config.backend === 'local' ? chosen.now : undefined,
      fit: () => ownFit(slot, models.fits),
      load: (signal: AbortSignal) => localUse.begin(signal),
      is: () => slot.status().model,
      count: async (input: GenerateInput) => await slot.need().countTokens?.(input),
    };
  };
  const { baseUrl = '', apiKey } = config.remote;
  const keyFor = (url: string) => (originOf(url) === originOf(baseUrl) ? apiKey : undefined);
  const asker = askerOf(settings);
  const axons = {
    asker: () => asker().key,
    openHotkey: async (key: AskerKey) => (await wallet.wallets()).openHotkey(key, null),
    neurons: chain.neurons,
    allowInside: config.bittensor.network === 'local',
  };
  const { ask, askLong } = inference;
  const needs = { ask, askLong, own, keyFor, axons, netuid: () => asker().netuid, log };
  return {
    named: (target) => namedTarget(needs, target),
    openExaminee: (target, signal) => openExaminee(needs, target, signal),
  };
}

/** In whose name miners are asked, and on which subnet: that of the validator, or else of the axon. */
function askerOf(settings: Core['settings']) {
  const [validator, axon] = [settings.follow('validator'), settings.follow('axon')];
  return (): { key: AskerKey | undefined; netuid: number | undefined } => {
    const { wallet, hotkey } = validator.now.wallet === undefined ? axon.now : validator.now;
    const key = wallet === undefined ? undefined : { wallet, hotkey };
    return { key, netuid: validator.now.netuid ?? axon.now.netuid };
  };
}

/** By its file; undefined where it is on another machine, or its file is gone. */
async function ownFit({ current }: Pick<EngineSlot, 'current'>, fits: ModelsPart['fits']): Promise<OwnFit | undefined> {
  const path = current?.engine?.modelPath;
  const file = path === undefined ? undefined : await checkGguf(path).catch(ignoring('nothing is known of it then'));
  const { sha256 = '' } = current?.status().model ?? {};
  if (!file) return undefined;
  return {
    ...fits.roomOf(file, sha256),
    async memoryFor(contextSize) {
      const { room } = await fits.fitFile(file, sha256, { contextSize, parallel: 1 });
      return { needs: room.weights + room.cache + room.overhead, has: room.usable };
    },
  };
}

function openFiles({ config, settings, log, onClose }: Pick<Core, 'config' | 'settings' | 'log' | 'onClose'>) {
  const limit = settings.follow('models.downloadLimit');
  const validator = settings.follow('validator');
  const client = modelsHttpClient(config);
  onClose(() => client.close());
  return new FilesDesk({
    ...{ folder: textsFolder(config), endpoint: config.models.endpoint, client, log },
    limit: () => limit.now,
    rowServer: () => ({ endpoint: validator.now.datasetServer, client: rowsHttpClient(validator.now.datasetServer) }),
  });
}

const textsFolder = ({ dataDir }: Pick<Core['config'], 'dataDir'>) => dataPath(dataDir, 'texts');

const originOf = (address: string) => URL.parse(address)?.origin;
