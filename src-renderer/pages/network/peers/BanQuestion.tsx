import { List, Select, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../../src-preload/contract/limits.ts';
import { client } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';

const HOURS = [1, 24, 168, 720] as const;
type Hours = `${(typeof HOURS)[number]}`;

interface BanQuestionProps {
  /** Whom to ban; undefined asks nothing. */
  id: string | undefined;
  onClose: () => void;
}

/** Asks before a peer is kept out: what happens then, and for how long. */
export function BanQuestion({ id = '', onClose }: BanQuestionProps) {
  const { t } = useTranslation('network');
  const [hours, setHours] = useState<Hours>('24');
  const ban = useMutation({
    mutationFn: () => client.mesh.ban({ id, hours: Number(hours) }),
    onSuccess() {
      notifications.show({
        message: t('ban.done', { id: shortId(id) }),
      });
      close();
    },
  });
  const close = () => {
    ban.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      opened={id !== ''}
      title={t('ban.title', { id: shortId(id) })}
      action={t('ban.confirm')}
      pending={ban.isPending}
      error={ban.error}
      onConfirm={() => ban.mutate()}
      onClose={close}
    >
      <List size="sm" spacing={4}>
        <List.Item>{t('ban.ends')}</List.Item>
        <List.Item>{t('ban.refuses')}</List.Item>
        <List.Item>{t('ban.lift')}</List.Item>
      </List>
      <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {id}
      </Text>
      <Select
        label={t('ban.howLong')}
        data={HOURS.map((count) => ({ value: `${count}` as const, label: t(`ban.hours.${count}`) }))}
        value={hours}
        onChange={(value) => value && setHours(value)}
        allowDeselect={false}
      />
    </ConfirmDialog>
  );
}
