import type { ClipModelDesk } from '../../clips/models/files/clip-model-desk.ts';
import type { Core } from '../parts/core.ts';
import type { Domain } from './implementer.ts';

/** The models of clips, of the contract's `data`. */
export function dataModelsRoutes({ os, named }: Domain<'data'>, desk: ClipModelDesk, { until }: Pick<Core, 'until'>) {
  return {
    models: os.models.handler(() => desk.list()),
    fetchModel: os.fetchModel.handler(({ input, signal }) => named(desk.fetch(input.name, until(signal)))),
    removeModel: os.removeModel.handler(({ input }) => desk.remove(input.name)),
  };
}
