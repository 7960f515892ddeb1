import { IconLock, IconWorld } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { StateChip } from '../../../components/StateChip.tsx';

/** Who can see it there. */
export function Privacy({ isPrivate }: { isPrivate: boolean }) {
  const { t } = useTranslation('data');
  return (
    <StateChip state={isPrivate ? 'idle' : 'pause'} icon={isPrivate ? IconLock : IconWorld}>
      {t(isPrivate ? 'upload.private' : 'upload.public')}
    </StateChip>
  );
}
