import type { ModelsPart } from '../parts/inference/models.ts';
import type { LearningVersionsPart } from '../parts/learning/learning-versions.ts';
import type { Domain } from './implementer.ts';

/** Of the contract's `learning`, what is about versions between nodes. */
export function learningSharingRoutes(
  { os }: Domain<'learning'>,
  { shares, offers }: LearningVersionsPart,
  { downloads }: Pick<ModelsPart, 'downloads'>,
) {
  return {
    share: os.share.handler(({ input }) => shares.share(input.version)),
    unshare: os.unshare.handler(({ input }) => shares.unshare(input.version)),
    sharing: os.sharing.handler(({ input }) => shares.sharing(input.version)),
    offers: os.offers.handler(({ input, signal }) => offers.list(input.waitMs, signal)),
    fetch: os.fetch.handler(async ({ input, signal }) =>
      downloads.start(await offers.wanted(input, signal), { from: 'peers' }),
    ),
  };
}
