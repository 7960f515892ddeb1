import { Skeleton, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './table.module.css';

/** The shape of a table that is on its way. */
export function TableSkeleton({ rows }: { rows: number }) {
  const { t } = useTranslation();
  return (
    <Stack className={classes.pad} gap={22} role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, place) => (
        <Skeleton key={place} h={28} w={`${96 - ((place * 7) % 20)}%`} />
      ))}
    </Stack>
  );
}
