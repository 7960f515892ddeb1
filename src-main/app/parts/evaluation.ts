import type { GenerateInput } from '../../../src-preload/contract/request.ts';
import { dataPath } from '../../base/data-folder.ts';
import { ignoring } from '../../base/swallowed.ts';
import { checkGguf } from '../../gguf/model-file.ts';
import type { EngineSlot } from '../../inference/host/engine-slot.ts';
import { EvaluationStore } from '../../store/evaluations.ts';
import type { AskerKey } from '../evaluation/at-axon.ts';
import { EvaluationDesk } from '../evaluation/evaluation-desk.ts';
import { namedTarget, openExaminee } from '../evaluation/examinees.ts';
import { FilesDesk } from '../evaluation/files-desk.ts';
import type { OwnFit } from '../evaluation/length-fit.ts';
import { modelsHttpClient } from '../models/model-downloads.ts';
import { rowsHttpClient } from '../validator/row-server.ts';
import type { ChainPart } from './chain.ts';
import type { Core } from './core.ts';
import { type EnginePart, NO_ENGINE } from './engine.ts';
import type { InferencePart } from './inference.ts';
import type { ModelsPart } from './models.ts';
import { need } from './need.ts';
import type { WalletPart } from './wallet.ts';

/** How much of long texts models use; every node can find out. */
export interface EvaluationPart {
  readonly desk: EvaluationDesk;
  /** The files of published data sets that some questions want. */
  readonly files: FilesDesk;
}

export interface EvaluationNeeds {
  inference: Pick<InferencePart, 'ask' | 'askLong'>;
  engine: EnginePart | undefined;
  models: Pick<ModelsPart, 'fits'>;
  wallet: Pick<WalletPart, 'wallets'>;
  chain: Pick<ChainPart, 'neurons'>;
}

export async function openEvaluation(
  { config, settings, db, log, onClose, onDrain }: Core,
  { inference, engine, models, wallet, chain }: EvaluationNeeds,
): Promise<EvaluationPart> {
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
  const needs = {
    ask: inference.ask,
    askLong: inference.askLong,
    own,
    keyFor,
    axons,
    netuid: () => asker().netuid,
    log,
  };
  const desk = new EvaluationDesk({
    store: new EvaluationStore(db),
    named: (target) => namedTarget(needs, target),
    openExaminee: (target, signal) => openExaminee(needs, target, signal),
    folder: textsFolder(config),
    log,
  });
  await desk.open();
  onDrain(() => desk.close());
  onClose(() => desk.close());
  return { desk, files: openFiles({ config, settings, log, onClose }) };
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
