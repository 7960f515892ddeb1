import { Box, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import tableClasses from '../../components/page/table.module.css';
import { worded } from '../../i18n/worded.ts';

/** A node that runs no model: why nothing is learnt there, and what would change that. */
export function NotHere({ error }: { error: QuarryError | undefined }) {
  const { t } = useTranslation('learning');
  return (
    <Box className={tableClasses.pad} pt={20}>
      <EmptyState title={error ? worded(error, 'message') : t('notHere')}>
        <Text size="sm">{error && worded(error, 'hint')}</Text>
        <Button component="a" href="#/settings/general" variant="default">
          {t('settings.open')}
        </Button>
      </EmptyState>
    </Box>
  );
}
