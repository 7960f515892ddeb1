import { IconFlask } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { StateChip } from '../StateChip.tsx';

/** That the chain is one to play with; nothing on the main network. */
export function NetworkChip() {
  const { t } = useTranslation('chain');
  const { data } = useAnswer(api.chain.state.queryOptions());
  if (!data || data.network === 'finney') return null;
  return (
    <StateChip state="idle" icon={IconFlask}>
      {t(`network.${data.network}`)}
    </StateChip>
  );
}
