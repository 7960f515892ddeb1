import { errorView } from '../../base/error-view.ts';
import { refusalsOf } from '../../bittensor/wallet/refusals.ts';
import type { WalletPart } from '../parts/bittensor/wallet.ts';
import { confidential } from './confidential.ts';
import type { Domain } from './implementer.ts';

/** The contract's `wallet`. */
export function walletRoutes({ os }: Domain<'wallet'>, { wallets, verify }: WalletPart) {
  return {
    list: os.list.handler(async ({ context }) => {
      const opened = await wallets();
      const found = await opened.list();
      const refusals = refusalsOf(found).map(errorView);
      return { folder: opened.folder, wallets: found, refusals, confidential: context.confidential ?? false };
    }),
    publicPart: os.publicPart.handler(async ({ input }) => (await wallets()).publicPart(input)),
    draft: os.draft.use(confidential).handler(async ({ input }) => (await wallets()).draft(input)),
    keep: os.keep.use(confidential).handler(async ({ input: { id, ...to } }) => (await wallets()).keep(id, to)),
    discard: os.discard.handler(async ({ input }) => (await wallets()).discard(input.id)),
    changePassword: os.changePassword
      .use(confidential)
      .handler(async ({ input: { from, to, ...key } }) => (await wallets()).changePassword(key, { from, to })),
    writePublic: os.writePublic.use(confidential).handler(async ({ input: { password, ...key } }) => {
      await (await wallets()).writePublic(key, { password });
    }),
    sign: os.sign
      .use(confidential)
      .handler(async ({ input: { password, text, ...key } }) => (await wallets()).signText(key, password, text)),
    verify: os.verify.handler(async ({ input }) => ({
      valid: await verify(input.text, input.signature, input.address),
    })),
  };
}
