import { Anchor, List, Stack, Text } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { useNode } from '../../../state/node.ts';

/** What to do while nobody is connected; nothing more where this node is offline, which {@link NetworkFigures} tells with its own advice. */
export function Alone() {
  const { t } = useTranslation('network');
  const mesh = useNode((node) => node.status?.mesh);
  const { data: reach } = useAnswer(api.mesh.reachability.queryOptions());
  if (reach && !reach.online) return null;
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
