import { Badge, Box, Button, Group, List, Text } from '@mantine/core';
import { IconStethoscope } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DoctorView } from '../../../src-preload/contract/node.ts';
import { client } from '../../api/client.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { worded } from '../../i18n/worded.ts';
import { SettingsCard } from './SettingsCard.tsx';

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'gray' } as const;

/** Examines this computer when asked, and says what to do. */
export function Doctor() {
  const { t } = useTranslation('settings');
  const examine = useMutation({ mutationFn: () => client.node.doctor() });
  return (
    <SettingsCard title={t('doctor.title')} help={t('doctor.help')}>
      <Group>
        <Button
          variant="default"
          leftSection={<IconStethoscope size={16} aria-hidden />}
          loading={examine.isPending}
          onClick={() => examine.mutate()}
        >
          {t('doctor.run')}
        </Button>
        <Text size="sm" role="status">
          {examine.isPending && t('doctor.running')}
          {examine.data && !examine.isPending && t(examine.data.healthy ? 'doctor.healthy' : 'doctor.unhealthy')}
        </Text>
      </Group>
      <ErrorNote error={examine.error} onRetry={() => examine.mutate()} />
      {examine.data && !examine.isPending && <Checks checks={examine.data.checks} />}
    </SettingsCard>
  );
}

function Checks({ checks }: Pick<DoctorView, 'checks'>) {
  const { t } = useTranslation('settings');
  return (
    <List listStyleType="none" spacing="sm" aria-label={t('doctor.title')}>
      {checks.map(({ name, status, ...words }) => (
        <List.Item key={name} styles={{ itemWrapper: { display: 'block' } }}>
          <Group gap="sm" wrap="nowrap" align="flex-start">
            <Badge color={COLOURS[status]} variant="light" miw={84} style={{ flexShrink: 0 }}>
              {t(`doctor.status.${status}`)}
            </Badge>
            <Box>
              <Text size="sm">
                <strong>{t(`doctor.name.${name}`, { defaultValue: name })}</strong>: {worded(words, 'found')}
              </Text>
              {words.advice && <Text size="sm">→ {worded(words, 'advice')}</Text>}
            </Box>
          </Group>
        </List.Item>
      ))}
    </List>
  );
}
