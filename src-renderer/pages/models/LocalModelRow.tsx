import { ActionIcon, Badge, Button, Group, Menu, Table, Text } from '@mantine/core';
import { IconCheck, IconDots, IconShieldCheck, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LocalModel } from '../../../src-preload/contract/models.ts';
import { api } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { tellError } from '../../components/tell-error.ts';
import { useFormat } from '../../i18n/format.ts';
import { RemoveModel } from './RemoveModel.tsx';
import { VerifyModel } from './VerifyModel.tsx';

/** One model on this computer. */
export function LocalModelRow({ model }: { model: LocalModel }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const [dialog, setDialog] = useState<'verify' | 'remove'>();
  const more = useRef<HTMLButtonElement>(null);
  // The menu that a dialog was opened from is gone: its button gets the focus back.
  const close = () => {
    setDialog(undefined);
    more.current?.focus();
  };
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {model.name}
        </Text>
        {model.tiny && (
          <Text size="xs" c="dimmed" fw={400}>
            {t('local.tiny')}
          </Text>
        )}
      </Table.Th>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{format.bytes(model.bytes)}</Table.Td>
      <Table.Td>{model.licence ?? '–'}</Table.Td>
      <Table.Td>{t(`origin.${model.origin}`)}</Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <Choose model={model} />
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon ref={more} variant="default" size={30} aria-label={t('local.more', { name: model.name })}>
                <IconDots size={16} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconShieldCheck size={16} />} onClick={() => setDialog('verify')}>
                {t('verify.open')}
              </Menu.Item>
              {!model.tiny && (
                <Menu.Item c="error" leftSection={<IconTrash size={16} />} onClick={() => setDialog('remove')}>
                  {t('remove.open')}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        </Group>
        {dialog === 'verify' && <VerifyModel name={model.name} onClose={close} />}
        {dialog === 'remove' && <RemoveModel model={model} onClose={close} />}
      </Table.Td>
    </Table.Tr>
  );
}

/** Makes a model the one that mining loads, or says that it is. */
function Choose({ model: { name, selected } }: { model: LocalModel }) {
  const { t } = useTranslation('models');
  const choose = useMutation(
    api.models.choose.mutationOptions({
      onSuccess: (models) => {
        queryClient.setQueryData(api.models.list.queryKey(), models);
        void queryClient.invalidateQueries({ queryKey: api.settings.key() });
      },
      onError: (error) => tellError(error, t('local.notChosen')),
    }),
  );
  if (selected) {
    return (
      <Badge variant="light" color="green" size="lg" leftSection={<IconCheck size={14} aria-hidden />}>
        {t('local.chosen')}
      </Badge>
    );
  }
  return (
    <Button
      size="xs"
      variant="light"
      loading={choose.isPending}
      aria-label={t('local.useOf', { name })}
      onClick={() => choose.mutate({ name })}
    >
      {t('local.use')}
    </Button>
  );
}
