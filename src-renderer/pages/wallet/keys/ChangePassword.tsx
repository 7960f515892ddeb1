import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, client } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useSecretly } from '../../../api/use-secretly.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { errorBeside } from '../../../components/errors/field-error.ts';
import type { NamedKey } from '../wallet-list.ts';
import { KeyPassword } from './KeyPassword.tsx';
import { NewPassword } from './NewPassword.tsx';

/** Encrypts a key's file with another password, or for the first time. */
export function ChangePassword({ of: key, onClose }: { of: NamedKey; onClose: () => void }) {
  const { t } = useTranslation(['wallet', 'common']);
  const { wallet, hotkey, sealing } = key;
  const name = hotkey ?? wallet;
  const isSealed = sealing !== 'plain';
  const [from, setFrom] = useState('');
  const [to, setTo] = useState<string>();
  const { pending, error, go } = useSecretly(async (password: string) => {
    await client.wallet.changePassword({ wallet, hotkey, from: isSealed ? from : null, to: password });
    return true;
  });
  const isReady = to !== undefined && (!isSealed || from !== '');
  const change = async () => {
    if (to === undefined || !(await go(to))) return;
    notifications.show({ message: t('wallet:password.changed', { key: name }) });
    await queryClient.invalidateQueries({ queryKey: api.wallet.list.key() });
    onClose();
  };
  return (
    <Modal
      opened
      onClose={() => !pending && onClose()}
      title={t(isSealed ? 'wallet:password.changeOf' : 'wallet:password.setOf', { key: name })}
      size={480}
    >
      <form
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !pending) void change();
        }}
      >
        <Stack>
          <Text size="sm">{t(hotkey ? 'wallet:password.whatHotkey' : 'wallet:password.what')}</Text>
          {isSealed && (
            <KeyPassword label={t('wallet:password.now')} value={from} onChange={setFrom} error={error} autoFocus />
          )}
          <NewPassword onChange={setTo} autoFocus={!isSealed} />
          {pending && (
            <Text size="sm" c="var(--q-ink-2)" role="status">
              {t('wallet:password.writing')}
            </Text>
          )}
          <ErrorNote error={isSealed ? errorBeside(error, 'password') : error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={pending}>
              {t('common:action.cancel')}
            </Button>
            <Button type="submit" loading={pending} disabled={!isReady}>
              {t(isSealed ? 'wallet:password.change' : 'wallet:password.set')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
