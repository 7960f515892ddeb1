import { basename, resolve } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import type { EvalMeans } from './eval.ts';

/** An engine and a trainer in processes of this command: a node that runs meanwhile goes on as it is. */
export const evalMeans: EvalMeans = async ({ config, withNode }, { folder, evaluation }) => {
  const model = evaluation.model?.endsWith('.gguf')
    ? await ofFile(evaluation.model)
    : await withNode({}, (node) => ofLibrary(node, evaluation.model));
  const { openEvaluating } = await import('../../app/learning/evaluating.ts');
  return await openEvaluating({ settings: config, model, folder, config: evaluation.config });
};

async function ofFile(file: string) {
  const { sha256OfFile } = await import('../../base/sha256.ts');
  const { requireModelFile } = await import('../../gguf/model-file.ts');
  const path = resolve(file);
  await requireModelFile(path);
  return { name: basename(path, '.gguf'), path, sha256: await sha256OfFile(path) };
}

/** @throws MODEL_NOT_FOUND */
async function ofLibrary(node: NodeClient, name: string | undefined) {
  const wanted = name ?? (await node.models.list()).find(({ selected }) => selected)?.name;
  const found = wanted === undefined ? undefined : await node.models.show({ name: wanted });
  if (found?.file && found.sha256 !== null) return { name: found.name, path: found.file.path, sha256: found.sha256 };
  throw new QuarryError({
    code: 'MODEL_NOT_FOUND',
    message: `The model ${wanted ?? ''} is not on this computer.`.replace('  ', ' '),
    hint: 'See which are: quarry models. Fetch one: quarry models pull <name>.',
  });
}
