import { Box, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../components/EmptyState.tsx';
import tableClasses from '../../../components/page/table.module.css';

/** What is said while no market is set: what it takes, and where. */
export function NotSet() {
  const { t } = useTranslation('trade');
  return (
    <Box className={tableClasses.pad} py="md">
      <EmptyState title={t('notSet.title')}>
        <Text size="sm">{t('notSet.hint')}</Text>
        <Button component="a" href="#/settings/all">
          {t('notSet.action')}
        </Button>
      </EmptyState>
    </Box>
  );
}
