import { Box, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconFolderSymlink } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { modelBytes } from '../../../../src-preload/contract/sizes.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Section } from '../../../components/Section.tsx';
import { OpenFolder } from '../../../components/setting-field/OpenFolder.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { MoveFolder } from './MoveFolder.tsx';

/** Where models are, how much room they take, and the way to another drive. */
export function DiskUse() {
  const { t } = useTranslation('models');
  const format = useFormat();
  const { data: disk, error, refetch } = useAnswer(api.models.diskUse.queryOptions());
  const [moving, dialog] = useDisclosure();
  const forget = useMutation(
    api.models.forgetPrompts.mutationOptions({
      onSuccess: () => notifications.show({ message: t('disk.forgotten') }),
      onSettled: refetch,
    }),
  );
  const facts = disk && [
    t('disk.models', { size: format.bytes(modelBytes(disk)) }),
    sum(disk.partial) > 0 && t('disk.partial', { size: format.bytes(sum(disk.partial)) }),
    disk.prompts > 0 && t('disk.prompts', { size: format.bytes(disk.prompts) }),
    t('disk.free', { size: format.bytes(disk.free) }),
  ];
  return (
    <Section title={t('disk.title')}>
      <ErrorNote error={error} onRetry={refetch} />
      <ErrorNote error={forget.error} />
      {disk && (
        <Text ff="monospace" size="xs" c="var(--q-ink-2)" style={{ overflowWrap: 'anywhere' }}>
          {disk.folder}
        </Text>
      )}
      <Text size="sm" c="dimmed" mt={4}>
        {facts?.filter(Boolean).join(' · ')}
      </Text>
      <Group mt="sm" gap="xs">
        <OpenFolder folder="models" />
        <Box>
          <Button
            variant="default"
            leftSection={<IconFolderSymlink size={16} stroke={1.6} aria-hidden />}
            onClick={dialog.open}
          >
            {t('move.open')}
          </Button>
        </Box>
        {disk && disk.prompts > 0 && (
          <Button variant="default" loading={forget.isPending} onClick={() => forget.mutate({})}>
            {t('disk.forgetPrompts')}
          </Button>
        )}
      </Group>
      {moving && <MoveFolder onClose={dialog.close} />}
    </Section>
  );
}

function sum(entries: readonly { bytes: number }[]): number {
  return entries.reduce((total, { bytes }) => total + bytes, 0);
}
