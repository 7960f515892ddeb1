import type { GenerateInput } from '../../../src-preload/contract/request.ts';
import { dataPath } from '../../base/data-folder.ts';
import { EvaluationStore } from '../../store/evaluations.ts';
import { EvaluationDesk } from '../evaluation/evaluation-desk.ts';
import { namedTarget, openExaminee } from '../evaluation/examinees.ts';
import { FilesDesk } from '../evaluation/files-desk.ts';
import { modelsHttpClient } from '../models/model-downloads.ts';
import { rowsHttpClient } from '../validator/row-server.ts';
import type { Core } from './core.ts';
import { type EnginePart, NO_ENGINE } from './engine.ts';
import type { InferencePart } from './inference.ts';
import { need } from './need.ts';

/** How much of long texts models use; every node can find out. */
export interface EvaluationPart {
  readonly desk: EvaluationDesk;
  /** The files of published data sets that some questions want. */
  readonly files: FilesDesk;
}

export interface EvaluationNeeds {
  inference: Pick<InferencePart, 'ask'>;
  engine: EnginePart | undefined;
}

export async function openEvaluation(
  { config, settings, db, log, onClose, onDrain }: Core,
  { inference, engine }: EvaluationNeeds,
): Promise<EvaluationPart> {
  const chosen = settings.follow('model');
  const own = () => {
    const { slot, localUse } = need(engine, NO_ENGINE);
    return {
      named: config.backend === 'local' ? chosen.now : undefined,
      load: (signal: AbortSignal) => localUse.begin(signal),
      is: () => slot.status().model,
      count: async (input: GenerateInput) => await slot.need().countTokens?.(input),
    };
  };
  const { baseUrl = '', apiKey } = config.remote;
  const keyFor = (url: string) => (originOf(url) === originOf(baseUrl) ? apiKey : undefined);
  const desk = new EvaluationDesk({
    store: new EvaluationStore(db),
    named: (target) => namedTarget({ own }, target),
    openExaminee: (target, signal) => openExaminee({ ask: inference.ask, own, keyFor, log }, target, signal),
    folder: textsFolder(config),
    log,
  });
  await desk.open();
  onDrain(() => desk.close());
  return { desk, files: openFiles({ config, settings, log, onClose }) };
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
