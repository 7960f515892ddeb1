import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { sentenceOf, toQuarryError } from '../../../api/errors.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';

const FIELDS = ['url', 'sha256', 'name'] as const;

/** Downloads a GGUF file of a web address. */
export function AddByAddress({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['models', 'common']);
  const [typed, setTyped] = useState({ url: '', sha256: '', name: '' });
  const pull = useMutation(
    api.models.pull.mutationOptions({
      onSuccess: ({ name }) => {
        notifications.show({ message: t('address.started', { name }) });
        onClose();
      },
    }),
  );
  const atField = FIELDS.find((field) => pull.error && field === toQuarryError(pull.error).field);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { url, sha256, name } = typed;
    pull.mutate({
      url: url.trim(),
      ...(sha256.trim() && { sha256: sha256.trim().toLowerCase() }),
      ...(name.trim() && { name: name.trim() }),
    });
  };
  return (
    <Modal opened onClose={onClose} title={t('address.open')}>
      <Stack component="form" onSubmit={submit}>
        <Text size="sm">{t('address.help')}</Text>
        {FIELDS.map((field) => (
          <TextInput
            key={field}
            label={t(`address.${field}`)}
            description={t(`address.${field}Help`)}
            required={field === 'url'}
            value={typed[field]}
            error={atField === field && sentenceOf(pull.error)}
            onChange={(event) => setTyped({ ...typed, [field]: event.currentTarget.value })}
            data-autofocus={field === 'url' || undefined}
          />
        ))}
        {!atField && <ErrorNote error={pull.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:action.cancel')}
          </Button>
          <Button type="submit" loading={pull.isPending} disabled={typed.url.trim() === ''}>
            {t('card.download')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
