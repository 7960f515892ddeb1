import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';

/** Prices move with every block; who looks at them for a while sees that. */
const LIST_AGAIN_MS = 60_000;
/** Up to 4,096 neurons are read anew: a few times an epoch is enough. */
const SUBNET_AGAIN_MS = 120_000;

/** All subnets as they are now. */
export function useSubnets() {
  return useAnswer(api.chain.subnets.queryOptions({ refetchInterval: LIST_AGAIN_MS }));
}

/** One subnet with its neurons and rules; null where there is none. */
export function useSubnet(netuid: number) {
  return useAnswer(
    api.chain.subnet.queryOptions({ input: { netuid }, refetchInterval: SUBNET_AGAIN_MS, staleTime: 30_000 }),
  );
}
