import { Anchor } from '@mantine/core';
import { IconSchool } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { Note } from '../../../components/Note.tsx';

const LOOK_AGAIN_MS = 5_000;

/** Beside models others share what theirs have learnt: how much of it there is now, and where to look at it. */
export function OfferedVersions() {
  const { t } = useTranslation('models');
  const { data } = useAnswer(
    api.learning.offers.queryOptions({ input: { waitMs: 0 }, refetchInterval: LOOK_AGAIN_MS }),
  );
  const count = data?.offers.length ?? 0;
  if (count === 0) return null;
  return (
    <Note icon={IconSchool} title={t('offers.versions', { count })} spaced>
      {t('offers.versionsWhat')}{' '}
      <Anchor href="#/learning/versions" inherit underline="always">
        {t('offers.toVersions')}
      </Anchor>
    </Note>
  );
}
