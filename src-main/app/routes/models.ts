import type { Core } from '../parts/core.ts';
import type { ModelsPart } from '../parts/inference/models.ts';
import type { Domain } from './implementer.ts';

/** The contract's `models`. */
export function modelsRoutes(
  { os, named }: Domain<'models'>,
  { desk, details, shares, downloads, hub, choice, memory }: ModelsPart,
  { until }: Pick<Core, 'until'>,
) {
  return {
    list: os.list.handler(() => desk.list()),
    import: os.import.handler(({ input, signal }) => named(desk.import(input, signal))),
    found: os.found.handler(() => desk.found()),
    useInPlace: os.useInPlace.handler(({ input, signal }) => named(desk.useInPlace(input, signal))),
    catalogue: os.catalogue.handler(({ input }) => desk.catalogue(input.contextSize)),
    recommend: os.recommend.handler(({ input }) => desk.recommend(input.use, input.contextSize)),
    show: os.show.handler(({ input: { name, ...tried } }) => details.show(name, tried)),
    loaded: os.loaded.handler(() => memory.list()),
    free: os.free.handler(async ({ input }) => {
      await memory.free(input.name);
      return await memory.list();
    }),
    search: os.search.handler(({ input, signal }) => hub.search(input, signal)),
    repository: os.repository.handler(({ input, signal }) => hub.repository(input.id, input.exact, signal)),
    pull: os.pull.handler(({ input, signal }) => desk.pull(input, signal)),
    downloads: os.downloads.handler(() => downloads.list()),
    watchDownloads: os.watchDownloads.handler(({ signal }) => downloads.watch(until(signal))),
    pause: os.pause.handler(({ input }) => downloads.pause(input.name)),
    resume: os.resume.handler(({ input }) => downloads.resume(input.name)),
    tryNow: os.tryNow.handler(({ input }) => downloads.tryNow(input.name)),
    cancel: os.cancel.handler(({ input }) => downloads.cancel(input.name)),
    limit: os.limit.handler(({ input }) => downloads.limit(input.bytesPerSecond)),
    verify: os.verify.handler(({ input, signal }) => named(desk.verify(input.name, signal))),
    remove: os.remove.handler(({ input }) => desk.remove(input.name)),
    choose: os.choose.handler(({ input }) => choice.choose(input.name)),
    diskUse: os.diskUse.handler(() => desk.diskUse()),
    forgetPrompts: os.forgetPrompts.handler(() => desk.forgetPrompts()),
    move: os.move.handler(({ input, signal }) => named(desk.move(input.folder, signal))),
    sharing: os.sharing.handler(() => shares.view()),
    share: os.share.handler(({ input }) => shares.share(input.name)),
    unshare: os.unshare.handler(({ input }) => shares.unshare(input.name)),
    offers: os.offers.handler(({ input, signal }) => shares.offers(input.waitMs, signal)),
    watchOffers: os.watchOffers.handler(({ input, signal }) => named(shares.watchOffers(input.waitMs, signal))),
  };
}
