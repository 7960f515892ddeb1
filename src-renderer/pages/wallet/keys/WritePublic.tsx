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

/** Writes the public file of a key again, which is missing beside it. */
export function WritePublic({ of: key, onClose }: { of: NamedKey; onClose: () => void }) {
  const { t } = useTranslation(['wallet', 'common']);
  const { wallet, hotkey, sealing } = key;
  const name = hotkey ?? wallet;
  const isSealed = sealing !== 'plain';
  const [password, setPassword] = useState('');
  const { pending, error, go } = useSecretly(async () => {
    await client.wallet.writePublic({ wallet, hotkey, password: isSealed ? password : null });
    return true;
  });
  const isReady = !isSealed || password !== '';
  const write = async () => {
    if (!(await go(undefined))) return;
    notifications.show({ message: t('wallet:public.written', { key: name }) });
    await queryClient.invalidateQueries({ queryKey: api.wallet.list.key() });
    onClose();
  };
  return (
    <Modal opened onClose={() => !pending && onClose()} title={t('wallet:public.title', { key: name })} size={480}>
      <form
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !pending) void write();
        }}
      >
        <Stack>
          <Text size="sm">{t('wallet:public.what')}</Text>
          {isSealed && (
            <KeyPassword
              label={t('wallet:password.of', { key: name })}
              value={password}
              onChange={setPassword}
              error={error}
              opening={pending}
              autoFocus
            />
          )}
          <ErrorNote error={isSealed ? errorBeside(error, 'password') : error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={pending}>
              {t('common:action.cancel')}
            </Button>
            <Button type="submit" loading={pending} disabled={!isReady}>
              {t('wallet:public.do')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
