import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { ChallengesPart } from '../parts/validator/challenges.ts';
import type { ValidatorPart } from '../parts/validator/validator.ts';
import type { Domain } from './implementer.ts';

/** The contract's `validator`. */
export function validatorRoutes(
  { os, named }: Domain<'validator'>,
  { validator, challenges }: { validator: ValidatorPart; challenges: ChallengesPart },
) {
  const { results, miners } = validator;
  const { datasets } = challenges;
  return {
    environments: os.environments.handler(() => challenges.environments()),
    stats: os.stats.handler(({ input }) => results.stats(input.since)),
    weigh: os.weigh.handler(({ input }) => results.weigh(input)),
    ofOthers: os.ofOthers.handler(({ input }) => results.ofOthers(input.since)),
    results: os.results.handler(({ input }) => results.page(input)),
    counts: os.counts.handler(({ input }) => results.counts(input.since)),
    result: os.result.handler(({ input }) => results.one(input.id)),
    replay: os.replay.handler(({ input }) => results.replay(input.id)),
    verify: os.verify.handler(({ signal }) => named(results.verify(signal))),
    export: os.export.handler(({ signal }) => named(results.export(signal))),
    start: os.start.handler(({ input }) => validator.start(input)),
    stop: os.stop.handler(() => validator.stop()),
    run: os.run.handler(({ signal }) => named(validator.run(signal))),
    miners: os.miners.handler(() => miners.list()),
    addMiner: os.addMiner.handler(({ input }) => miners.add(input)),
    checkMiner: os.checkMiner.handler(({ input, signal }) => validator.checkMiner(input.name, signal)),
    removeMiner: os.removeMiner.handler(({ input }) => miners.remove(input.name)),
    hotkeys: os.hotkeys.handler(() => miners.hotkeys()),
    setHotkey: os.setHotkey.handler(({ input }) => miners.setHotkey(input)),
    setWeights: os.setWeights.handler(({ signal }) => validator.setWeights(signal)),
    datasets: os.datasets.handler(() => datasets.list()),
    importDataset: os.importDataset.handler(({ input, signal, context }) => {
      if (input.from.type === 'file' && !context.ofAccount) throw foreignFile();
      return named(datasets.import(input, signal));
    }),
    removeDataset: os.removeDataset.handler(({ input }) => datasets.remove(input.name)),
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
