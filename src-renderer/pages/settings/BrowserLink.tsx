import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconLink, IconLogout } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { isDesktop } from '../../api/port.ts';
import { logOut } from '../../api/session.ts';
import { CopyButton } from '../../components/CopyButton.tsx';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { useFormat } from '../../i18n/format.ts';
import { SettingsCard } from './SettingsCard.tsx';

/** A link that lets one browser in, and the way out for this one. */
export function BrowserLink() {
  const { t } = useTranslation('settings');
  const { data, error, isPending, mutate } = useMutation(api.node.entry.mutationOptions());
  return (
    <SettingsCard title={t('browserLink.title')} help={t('browserLink.help')}>
      <ErrorNote error={error} />
      {data && <Made {...data} />}
      <Group>
        <Button
          variant={data ? 'default' : 'filled'}
          leftSection={<IconLink size={16} aria-hidden />}
          loading={isPending}
          onClick={() => mutate(undefined)}
        >
          {t(data ? 'browserLink.another' : 'browserLink.make')}
        </Button>
        {!isDesktop() && (
          <Button
            variant="default"
            leftSection={<IconLogout size={16} aria-hidden />}
            onClick={() => void logOut().then(() => location.reload())}
          >
            {t('browserLink.logOut')}
          </Button>
        )}
      </Group>
    </SettingsCard>
  );
}

function Made({ url, expiresAt }: { url: string; expiresAt: number }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  return (
    <Stack gap="xs" align="flex-start">
      <Code block w="100%" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {url}
      </Code>
      <Text size="sm">{t('browserLink.once', { time: format.clock(expiresAt) })}</Text>
      <CopyButton text={url} />
    </Stack>
  );
}
