import { IconClockPause } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AxonState } from '../../../../src-preload/contract/axon.ts';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';

/** The chain does not tell who is registered: from when the axon knows it, and what that means for who asks. Nothing while it tells. */
export function NeuronsNote({ axon: { neurons } }: { axon: AxonState }) {
  const { t } = useTranslation('subnets');
  const format = useFormat();
  if (!neurons?.stale) return null;
  const { readAt } = neurons;
  return (
    <Note state="pause" icon={IconClockPause} title={t('axon.neuronsStale')} role="status">
      {readAt === null ? t('axon.neuronsNever') : t('axon.neuronsFrom', { time: format.clock(readAt) })}
    </Note>
  );
}
