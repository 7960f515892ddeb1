import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';

/** What this computer's own keys are called, by their addresses: «main», «main / default»; undefined for anybody else's. */
export function useKeyNames(): (address: string) => string | undefined {
  const { data } = useAnswer(api.wallet.list.queryOptions());
  const names = new Map<string, string>();
  for (const { name, coldkey, hotkeys } of data?.wallets ?? []) {
    if (coldkey?.address) names.set(coldkey.address, name);
    for (const hotkey of hotkeys) if (hotkey.address) names.set(hotkey.address, `${name} / ${hotkey.name}`);
  }
  return (address) => names.get(address);
}
