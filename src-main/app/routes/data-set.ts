import type { Core } from '../parts/core.ts';
import type { DataSetPart } from '../parts/data/data-set.ts';
import type { Domain } from './implementer.ts';

/** What of the contract's `data` is about the data set. */
export function dataSetRoutes({ os, named }: Domain<'data'>, dataSet: DataSetPart, { until }: Pick<Core, 'until'>) {
  return {
    dataSet: os.dataSet.handler(() => dataSet.view()),
    export: os.export.handler(({ input, signal }) => named(dataSet.export(input, until(signal)))),
    upload: os.upload.handler(({ input, signal }) => named(dataSet.upload(input, until(signal)))),
    takeDowns: os.takeDowns.handler(() => dataSet.takeDowns()),
    takeDown: os.takeDown.handler(({ input }) => dataSet.takeDown(input)),
    undoTakeDown: os.undoTakeDown.handler(({ input }) => dataSet.undoTakeDown(input)),
  };
}
