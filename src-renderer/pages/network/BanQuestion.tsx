import { Button, Group, List, Modal, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../api/client.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { shortId } from '../../i18n/format.ts';

const HOURS = [1, 24, 168, 720] as const;
type Hours = `${(typeof HOURS)[number]}`;

interface BanQuestionProps {
  /** Whom to ban; undefined asks nothing. */
  id: string | undefined;
  onClose: () => void;
}

/** Asks before a peer is kept out: what happens then, and for how long. */
export function BanQuestion({ id = '', onClose }: BanQuestionProps) {
  const { t } = useTranslation(['network', 'common']);
  const [hours, setHours] = useState<Hours>('24');
  const ban = useMutation({
    mutationFn: () => client.mesh.ban({ id, hours: Number(hours) }),
    onSuccess() {
      notifications.show({
        message: t('network:ban.done', { id: shortId(id) }),
        closeButtonProps: { 'aria-label': t('common:action.close') },
      });
      close();
    },
  });
  const close = () => {
    ban.reset();
    onClose();
  };
  return (
    <Modal
      opened={id !== ''}
      onClose={close}
      title={t('network:ban.title', { id: shortId(id) })}
      closeButtonProps={{ 'aria-label': t('common:action.close') }}
    >
      <Stack>
        <List size="sm" spacing={4}>
          <List.Item>{t('network:ban.ends')}</List.Item>
          <List.Item>{t('network:ban.refuses')}</List.Item>
          <List.Item>{t('network:ban.lift')}</List.Item>
        </List>
        <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {id}
        </Text>
        <Select
          label={t('network:ban.howLong')}
          data={HOURS.map((count) => ({ value: `${count}` as const, label: t(`network:ban.hours.${count}`) }))}
          value={hours}
          onChange={(value) => value && setHours(value)}
          allowDeselect={false}
        />
        <ErrorNote error={ban.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {t('common:action.cancel')}
          </Button>
          <Button color="red" loading={ban.isPending} onClick={() => ban.mutate()}>
            {t('network:ban.confirm')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
