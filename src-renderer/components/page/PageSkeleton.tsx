import { Skeleton, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLater } from '../use-later.ts';
import { PageBody } from './PageBody.tsx';

/** Who waits no longer than this has seen nothing flicker. */
const SHOWN_AFTER_MS = 200;

/** The shape of what comes, while a page is fetched. */
export function PageSkeleton() {
  const { t } = useTranslation();
  const shown = useLater(SHOWN_AFTER_MS);
  return (
    <PageBody>
      {shown && (
        <Stack role="status" aria-label={t('loading')}>
          <Skeleton h={44} w="46%" />
          <Skeleton h={16} w="92%" />
          <Skeleton h={16} w="78%" />
          <Skeleton h={16} w="85%" />
        </Stack>
      )}
    </PageBody>
  );
}
