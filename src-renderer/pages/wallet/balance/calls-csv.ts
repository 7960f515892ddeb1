import type { SentCall } from '../../../../src-preload/contract/chain.ts';
import { movedRao } from '../../../../src-preload/contract/moved-rao.ts';
import { taoText } from '../../../../src-preload/contract/rao.ts';

const HEAD = 'time,network,action,state,from,to,netuid,moved_tao,fee_tao,hash,block';

/** Amounts that went out have a minus; what did not come about has moved nothing. What every cell holds is ours or a checked address: nothing of it could begin a formula. */
export function callsCsv(calls: readonly SentCall[]): string {
  const rows = calls.map((call) => {
    const { at, network, action, state, from, to, netuid, fee, hash, block } = call;
    return [
      new Date(at).toISOString(),
      network,
      action,
      state,
      from,
      to ?? '',
      netuid ?? '',
      taoText(movedRao(call)),
      taoText(BigInt(fee)),
      hash,
      block ?? '',
    ].join(',');
  });
  return `${[HEAD, ...rows].join('\r\n')}\r\n`;
}
