import { type AxonPart, NO_AXON } from '../parts/bittensor/axon.ts';
import { need } from '../parts/need.ts';
import type { Domain } from './implementer.ts';

/** The contract's `axon`. */
export function axonRoutes({ os, named }: Domain<'axon'>, part: AxonPart | undefined) {
  const axon = () => need(part, NO_AXON);
  const after = async (doing: (axon: AxonPart) => Promise<void>) => {
    await doing(axon());
    return axon().state();
  };
  return {
    state: os.state.handler(() => axon().state()),
    watch: os.watch.handler(({ signal }) => named(axon().watch(signal))),
    start: os.start.handler(({ input }) => after((one) => one.start(input))),
    stop: os.stop.handler(() => after((one) => one.stop())),
    check: os.check.handler(() => after((one) => one.check())),
  };
}
