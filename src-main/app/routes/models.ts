import type { App } from '../app.ts';
import { type Implementer, named } from './implementer.ts';

/** The contract's `models`. */
export function modelsRouter(os: Implementer['models'], app: App) {
  return {
    list: os.list.handler(() => app.models.list()),
    import: os.import.handler(({ input, signal }) => named(app.models.import(input, signal), app)),
    catalogue: os.catalogue.handler(({ input }) => app.models.catalogue(input.contextSize)),
    recommend: os.recommend.handler(({ input }) => app.models.recommend(input.use, input.contextSize)),
    pull: os.pull.handler(({ input, signal }) => app.models.pull(input, signal)),
    downloads: os.downloads.handler(() => app.models.downloads.list()),
    watchDownloads: os.watchDownloads.handler(({ signal }) => app.models.watchDownloads(signal)),
    pause: os.pause.handler(({ input }) => app.models.downloads.pause(input.name)),
    resume: os.resume.handler(({ input }) => app.models.downloads.resume(input.name)),
    cancel: os.cancel.handler(({ input }) => app.models.downloads.cancel(input.name)),
    limit: os.limit.handler(({ input }) => app.models.downloads.limit(input.bytesPerSecond)),
    verify: os.verify.handler(({ input, signal }) => named(app.models.verify(input.name, signal), app)),
    remove: os.remove.handler(({ input }) => app.models.remove(input.name)),
    choose: os.choose.handler(({ input }) => app.chooseModel(input.name)),
    diskUse: os.diskUse.handler(() => app.models.diskUse()),
    move: os.move.handler(({ input, signal }) => named(app.models.move(input.folder, signal), app)),
    sharing: os.sharing.handler(() => app.models.sharing()),
    share: os.share.handler(({ input }) => app.models.share(input.name)),
    unshare: os.unshare.handler(({ input }) => app.models.unshare(input.name)),
    offers: os.offers.handler(({ input, signal }) => app.models.offers(input.waitMs, signal)),
  };
}
