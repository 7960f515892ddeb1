import { join } from 'node:path';
import { pino } from 'pino';
import { dataPath } from '../../base/data-folder.ts';
import { LocalBackend } from '../../inference/host/local-backend.ts';
import { AskedEngine } from '../../learning/asked-engine.ts';
import type { EvalConfig } from '../../learning/evaluation/harness/eval-config.ts';
import type { EvalPorts } from '../../learning/evaluation/harness/eval-ports.ts';
import { memoryLimit } from '../../learning/learning-settings.ts';
import { BatchLearner } from '../../learning/runs/batch-learner.ts';
import { toldAfterwards } from '../../learning/runs/hindsight.ts';
import { DEFAULT_RUN } from '../../learning/runs/run-settings.ts';
import { JaxTrainer } from '../../learning/training/jax-trainer.ts';
import { openSandbox } from '../../sandbox/open-sandbox.ts';
import type { Config } from '../../settings/config.ts';

export interface EvaluatingOptions {
  settings: Pick<Config, 'gpuLayers' | 'threads' | 'sandbox' | 'dataDir' | 'learning'>;
  model: { name: string; path: string; sha256: string };
  /** Where the results are: adapters beside them. */
  folder: string;
  config: EvalConfig;
}

/** Questions and answers of an evaluation have some hundred tokens. */
const CONTEXT = 2_048;

/** An engine and a trainer for one evaluation: nothing of what this node has learnt is read or changed. */
export async function openEvaluating(options: EvaluatingOptions): Promise<AsyncDisposable & { ports: EvalPorts }> {
  const { settings, model, folder, config } = options;
  const { gpuLayers, threads, dataDir, learning } = settings;
  const engine = new LocalBackend({
    ...{ modelPath: model.path, name: model.name, sha256: model.sha256, gpuLayers, threads },
    ...{ contextSize: CONTEXT, parallel: 1, log: pino({ level: 'silent' }) },
  });
  const sandbox = openSandbox(settings.sandbox, { folder: dataPath(dataDir, 'sandbox') });
  const close = async () => {
    await engine.close();
    await sandbox.close();
  };
  try {
    await engine.open();
  } catch (error) {
    await close();
    throw error;
  }
  const asked = new AskedEngine(() => engine);
  const { rank, alpha, modules } = learning;
  const { objective, seed, answerTokens, batches } = config;
  const run = { ...DEFAULT_RUN, rank, alpha, modules: [...modules], keep: 1, objective, seed, answerTokens };
  const shared = { asked, modelPath: model.path, settings: run, batches };
  const createTrainer = () => new JaxTrainer({ memoryLimit: memoryLimit(learning) });
  return {
    ports: {
      ...{ asked, sandbox, model: { name: model.name, sha256: model.sha256 }, teacher: toldAfterwards },
      learn: (loraId, batches) =>
        BatchLearner.open(batches, {
          ...shared,
          createTrainer,
          folder: join(folder, 'adapters', ...loraId.split('/')),
        }),
    },
    [Symbol.asyncDispose]: close,
  };
}
