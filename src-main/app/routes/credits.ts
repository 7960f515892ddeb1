import type { CreditsPart } from '../parts/credits.ts';
import type { LedgerCheckPart } from '../parts/ledger-check.ts';
import type { MeshPart } from '../parts/mesh/mesh.ts';
import type { EarningPart } from '../parts/node/earning.ts';
import type { Domain } from './implementer.ts';

/** The contract's `credits`. */
export function creditsRoutes(
  { os, named }: Domain<'credits'>,
  {
    credits,
    earning,
    ledgerCheck,
    mesh,
  }: { credits: CreditsPart; earning: EarningPart; ledgerCheck?: LedgerCheckPart; mesh?: Pick<MeshPart, 'peers'> },
) {
  const isHere = mesh && ((peer: string) => mesh.peers.isHere(peer));
  return {
    summary: os.summary.handler(() => credits.summary()),
    entries: os.entries.handler(({ input }) => credits.entries(input)),
    kinds: os.kinds.handler(() => credits.kinds()),
    csv: os.csv.handler(({ input }) => named(credits.csv(input))),
    days: os.days.handler(({ input }) => credits.days(input.days)),
    trusted: os.trusted.handler(({ input }) => credits.trusted(input)),
    debtors: os.debtors.handler(({ input }) => credits.debtors(input, isHere)),
    sources: os.sources.handler(() => credits.sources()),
    today: os.today.handler(() => earning.today()),
    forecasts: os.forecasts.handler(() => earning.forecasts()),
    served: os.served.handler(({ input }) => credits.served(input.limit)),
    byModel: os.byModel.handler(() => earning.byModel()),
    watch: os.watch.handler(({ signal }) => named(credits.watch(signal))),
    verify: os.verify.handler(({ input }) => credits.verify(input)),
    check: os.check.handler(() => ledgerCheck?.current() ?? null),
    rebuild: os.rebuild.handler(async () => {
      await credits.rebuild();
      return await credits.verify({ full: true });
    }),
  };
}
