import { Box, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../components/EmptyState.tsx';
import tableClasses from '../../components/page/table.module.css';
import { SettingControl } from '../../components/setting-field/SettingControl.tsx';

/** What a competition is, and where the address of one is entered. */
export function NoServer() {
  const { t } = useTranslation('competitions');
  return (
    <Box className={tableClasses.pad}>
      <EmptyState title={t('noServer.title')}>
        <Stack gap="sm" maw={560}>
          <Text size="sm">{t('noServer.what')}</Text>
          <SettingControl path="competitor.server" label={t('noServer.label')} help={t('noServer.help')} />
        </Stack>
      </EmptyState>
    </Box>
  );
}
