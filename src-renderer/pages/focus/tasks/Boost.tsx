import { IconBolt } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';

/** What a task’s score is multiplied by; nothing where it is not. */
export function Boost({ multiplier }: { multiplier: number }) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  if (multiplier === 1) return null;
  return (
    <StateChip state="earned" icon={IconBolt}>
      {t('tasks.times', { formatted: format.number(multiplier, 2) })}
    </StateChip>
  );
}
