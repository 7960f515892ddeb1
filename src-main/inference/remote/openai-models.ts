import type { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { ModelInfo } from '../backend.ts';
import type { modelsSchema } from './openai-shapes.ts';

type ListedModel = z.infer<typeof modelsSchema>['data'][number];

const DEFAULT_CONTEXT = 4096;
const DEFAULT_PARALLEL = 8;

/**
 * The address with a path that ends in a slash, so that other paths can be resolved against it.
 * @throws QuarryError CONFIG_INVALID
 */
export function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search) {
    throw new QuarryError({
      code: 'CONFIG_INVALID',
      message: say('remote.address'),
      field: 'baseUrl',
    });
  }
  const path = url.pathname.replace(/\/+$/, '') || '/v1';
  return new URL(`${path}/`, url);
}

/** A model under the id that the server wants to hear, and as Quarry shows it. */
export interface RemoteModel {
  id: string;
  info: ModelInfo;
}

/**
 * The wanted model among those that the server lists; the first one when none is named.
 * @throws QuarryError MODEL_NOT_FOUND
 */
export function chooseModel(
  baseUrl: URL,
  models: readonly ListedModel[],
  wanted: { model?: string; contextSize?: number; parallel?: number },
): RemoteModel {
  const found = wanted.model === undefined ? models[0] : models.find(({ id }) => id === wanted.model);
  if (!found) throw modelMissing(baseUrl, wanted.model, models);
  const told = wanted.contextSize ?? (found.max_model_len || found.meta?.n_ctx || undefined);
  const info: ModelInfo = {
    name: shownName(found.id),
    contextSize: told ?? DEFAULT_CONTEXT,
    ...(told === undefined && { isContextGuessed: true }),
    parallel: wanted.parallel ?? DEFAULT_PARALLEL,
    device: 'remote',
  };
  return { id: found.id, info };
}

/** llama-server's ids are paths of its own disk: nobody else's business. */
function shownName(id: string): string {
  const isPath = /^([/\\~.]|[A-Za-z]:[/\\])/.test(id);
  return isPath ? id.replace(/^.*[/\\]/, '').replace(/\.gguf$/i, '') || id : id;
}

function modelMissing(baseUrl: URL, wanted: string | undefined, models: readonly ListedModel[]): QuarryError {
  const offered = models.slice(0, 5).map(({ id }) => id.slice(0, 80));
  return new QuarryError({
    code: 'MODEL_NOT_FOUND',
    message:
      wanted === undefined
        ? say('remote.noModels', { host: baseUrl.host })
        : say('remote.noSuchModel', { host: baseUrl.host, wanted }),
    hint: offered.length > 0 ? say('remote.offers', { offered }) : say('remote.loadThere'),
    field: 'model',
  });
}
