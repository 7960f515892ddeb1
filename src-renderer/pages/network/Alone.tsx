import { Anchor, List, Stack, Text } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { EmptyState } from '../../components/EmptyState.tsx';
import { useNode } from '../../state/node.ts';

/** What to do while nobody is connected. */
export function Alone() {
  const { t } = useTranslation('network');
  const mesh = useNode((node) => node.status?.mesh);
  return (
    <EmptyState title={t('alone.title')}>
      <Stack gap="xs" maw={560} ta="left">
        <Text size="sm">{t('alone.explain')}</Text>
        <List size="sm" type="ordered" spacing={4}>
          <List.Item>{t('alone.wait')}</List.Item>
          <List.Item>{t('alone.mesh', { mesh: mesh ?? '' })}</List.Item>
          <List.Item>
            <Trans
              t={t}
              i18nKey="alone.bootstrap"
              components={{ settings: <Anchor href="#/settings/network" size="sm" underline="always" /> }}
            />
          </List.Item>
        </List>
      </Stack>
    </EmptyState>
  );
}
