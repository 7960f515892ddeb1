import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { ValidatorPart } from '../parts/validator.ts';
import type { Domain } from './implementer.ts';

/** The contract's `validator`. */
export function validatorRoutes({ os, named }: Domain<'validator'>, validator: ValidatorPart) {
  return {
    environments: os.environments.handler(() => validator.environments()),
    stats: os.stats.handler(({ input }) => validator.stats(input.since)),
    weigh: os.weigh.handler(({ input }) => validator.weigh(input)),
    ofOthers: os.ofOthers.handler(({ input }) => validator.ofOthers(input.since)),
    results: os.results.handler(({ input }) => validator.results(input)),
    counts: os.counts.handler(({ input }) => validator.counts(input.since)),
    result: os.result.handler(({ input }) => validator.result(input.id)),
    replay: os.replay.handler(({ input }) => validator.replay(input.id)),
    verify: os.verify.handler(({ signal }) => named(validator.verify(signal))),
    export: os.export.handler(() => named(validator.export())),
    start: os.start.handler(({ input }) => validator.start(input)),
    stop: os.stop.handler(() => validator.stop()),
    run: os.run.handler(({ signal }) => named(validator.run(signal))),
    miners: os.miners.handler(() => validator.miners()),
    addMiner: os.addMiner.handler(({ input }) => validator.addMiner(input)),
    removeMiner: os.removeMiner.handler(({ input }) => validator.removeMiner(input.name)),
    setWeights: os.setWeights.handler(({ signal }) => validator.setWeights(signal)),
    datasets: os.datasets.handler(() => validator.datasets.list()),
    importDataset: os.importDataset.handler(({ input, signal, context }) => {
      if (input.from.type === 'file' && !context.ofAccount) throw foreignFile();
      return named(validator.datasets.import(input, signal));
    }),
    removeDataset: os.removeDataset.handler(({ input }) => validator.datasets.remove(input.name)),
    practise: os.practise.handler(({ input, signal }) => named(validator.practise(input, signal))),
  };
}

/** Who has the API token may use the node, and not read whatever its account can. */
const foreignFile = () =>
  new QuarryError({
    code: 'UNAUTHORIZED',
    message: say('datasets.foreignFile'),
    hint: say('datasets.importThere'),
    field: 'from',
  });
