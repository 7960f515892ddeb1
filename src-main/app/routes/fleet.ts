import type { FleetPart } from '../parts/mesh/fleet.ts';
import { NO_MESH } from '../parts/mesh/mesh.ts';
import { need } from '../parts/need.ts';
import type { Domain } from './implementer.ts';

/** The contract's `fleet`. */
export function fleetRoutes({ os, named }: Domain<'fleet'>, part: FleetPart | undefined) {
  const fleet = () => need(part, NO_MESH);
  return {
    list: os.list.handler(() => fleet().view()),
    watch: os.watch.handler(({ signal }) => named(fleet().watch(signal))),
    offer: os.offer.handler(({ input }) => fleet().offer(input.mayControl)),
    cancelOffer: os.cancelOffer.handler(() => fleet().cancelOffer()),
    join: os.join.handler(({ input, signal }) => fleet().join(input.code, input.mayControl, signal)),
    remove: os.remove.handler(({ input }) => fleet().remove(input.id)),
    allow: os.allow.handler(({ input }) => fleet().allow(input.id, input.mayControl)),
    startMining: os.startMining.handler(({ input }) => fleet().order(input.id, 'start')),
    stopMining: os.stopMining.handler(({ input }) => fleet().order(input.id, 'stop')),
  };
}
