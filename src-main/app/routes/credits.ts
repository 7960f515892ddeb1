import { ENTRY_KINDS } from '../../store/ledger-tables.ts';
import type { App } from '../app.ts';
import { type Implementer, named } from './implementer.ts';

/** The contract's `credits`. */
export function creditsRouter(os: Implementer['credits'], app: App) {
  return {
    summary: os.summary.handler(() => app.credits.summary()),
    entries: os.entries.handler(({ input }) => app.credits.entries(input)),
    kinds: os.kinds.handler(() => [...ENTRY_KINDS]),
    csv: os.csv.handler(({ input }) => named(app.credits.csv(input), app)),
    days: os.days.handler(({ input }) => app.credits.days(input.days)),
    sources: os.sources.handler(() => app.credits.sources()),
    served: os.served.handler(({ input }) => app.credits.served(input.limit)),
    watch: os.watch.handler(({ signal }) => named(app.credits.watch(signal), app)),
    verify: os.verify.handler(() => app.credits.verify()),
    rebuild: os.rebuild.handler(async () => {
      await app.credits.rebuild();
      return await app.credits.verify();
    }),
  };
}
