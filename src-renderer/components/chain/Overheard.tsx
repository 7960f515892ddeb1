import { IconLockOpen } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Note } from '../Note.tsx';

/** Says why there is no field for words and passwords here, and where there is. */
export function Overheard() {
  const { t } = useTranslation('chain');
  return (
    <Note state="pause" icon={IconLockOpen} title={t('overheard.title')}>
      {t('overheard.what')}
    </Note>
  );
}
