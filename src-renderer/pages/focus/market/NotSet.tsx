import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../components/EmptyState.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { wantSetting } from '../../../state/wanted.ts';

/** What is said while no market is set: how it goes without one, what one is and who gives it, and where it is entered. */
export function NotSet({ onTry }: { onTry: () => void }) {
  const { t } = useTranslation('trade');
  return (
    <Box className={tableClasses.pad} pb="md">
      <EmptyState title={t('notSet.title')}>
        <Stack gap="sm" maw={620}>
          <Text size="sm">{t('notSet.what')}</Text>
          <Text size="sm">{t('notSet.hint')}</Text>
          <Group gap="sm">
            <Button leftSection={<IconPlayerPlay size={15} stroke={1.6} aria-hidden />} onClick={onTry}>
              {t('try.title')}
            </Button>
            <Button
              component="a"
              href="#/settings/all"
              variant="default"
              onClick={() => wantSetting('trade.')} // all that a market takes
            >
              {t('notSet.action')}
            </Button>
          </Group>
        </Stack>
      </EmptyState>
    </Box>
  );
}
