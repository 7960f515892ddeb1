import { useTranslation } from 'react-i18next';
import type { SubnetView } from '../../../src-preload/contract/chain.ts';

/** What a subnet is called: as its owner says, a stranger's words; else by its number. */
export function useSubnetName(): (subnet: Pick<SubnetView, 'netuid' | 'name'>) => string {
  const { t } = useTranslation('subnets');
  return ({ netuid, name }) => name || t('number', { netuid });
}
