import type { ChainPart } from '../parts/bittensor/chain.ts';
import { confidential } from './confidential.ts';
import type { Domain } from './implementer.ts';

/** The contract's `chain`. */
export function chainRoutes({ os, named }: Domain<'chain'>, chain: ChainPart) {
  return {
    state: os.state.handler(() => chain.state()),
    watch: os.watch.handler(({ signal }) => named(chain.watch(signal))),
    accounts: os.accounts.handler(({ input }) => chain.accounts(input.addresses)),
    history: os.history.handler(({ input }) => chain.history(input.address, input.days)),
    calls: os.calls.handler(({ input }) => chain.calls(input)),
    subnets: os.subnets.handler(() => chain.subnets()),
    subnet: os.subnet.handler(({ input }) => chain.subnet(input.netuid)),
    draft: os.draft.handler(({ input }) => chain.draft(input)),
    send: os.send.use(confidential).handler(({ input, signal }) => named(chain.send(input, signal))),
  };
}
