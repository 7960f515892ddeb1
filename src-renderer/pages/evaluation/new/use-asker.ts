import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { settingValue } from '../../../state/settings.ts';

/** In whose name miners are asked, and on which subnet: that of the validator, or else of the axon; undefined while no wallet or no subnet is set. */
export function useAsker(): { hotkey: string; netuid: number } | undefined {
  const { data } = useAnswer(api.settings.list.queryOptions());
  const set = <T>(path: string) => settingValue<T>(data, path);
  const of = set<string>('validator.wallet') === undefined ? 'axon' : 'validator';
  const wallet = set<string>(`${of}.wallet`);
  const netuid = set<number>('validator.netuid') ?? set<number>('axon.netuid');
  if (wallet === undefined || netuid === undefined) return undefined;
  return { hotkey: `${wallet}/${set<string>(`${of}.hotkey`) ?? 'default'}`, netuid };
}
