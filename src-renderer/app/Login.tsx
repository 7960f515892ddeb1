import { Button, Center, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { connection } from '../api/connection.ts';
import { logIn } from '../api/session.ts';
import { ErrorNote } from '../components/ErrorNote.tsx';

/** Asks for the node's token, once a browser. */
export function Login() {
  const { t } = useTranslation();
  const [token, setToken] = useState('');
  const login = useMutation({ mutationFn: logIn, onSuccess: () => connection.open(), networkMode: 'always' });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    login.mutate(token);
  };
  return (
    <Center component="main" h="100vh" p="md">
      <Paper component="form" onSubmit={submit} withBorder p="xl" maw={440}>
        <Stack>
          <Title order={1} size="h2">
            {t('login.title')}
          </Title>
          <Text>{t('login.explain')}</Text>
          <PasswordInput
            label={t('login.token')}
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
            autoComplete="current-password"
            required
            data-autofocus
          />
          <ErrorNote error={login.error} />
          <Button type="submit" loading={login.isPending} disabled={token === ''}>
            {t('login.submit')}
          </Button>
        </Stack>
      </Paper>
    </Center>
  );
}
