import {
  ActionIcon,
  Alert,
  Button,
  Center,
  Code,
  Divider,
  Group,
  Paper,
  PasswordInput,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconCheck, IconCopy, IconLinkOff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { connection, useConnection } from '../api/connection.ts';
import { logIn } from '../api/session.ts';
import { ErrorNote } from '../components/ErrorNote.tsx';
import { useCopy } from '../components/useCopy.ts';

/** The ways in for a browser: the node's token, where it has one, and a link. */
export function Login() {
  const { t } = useTranslation();
  const hasToken = useConnection((state) => state.hasToken);
  // A link that was opened in another tab lets this one in too.
  useWindowEvent('focus', () => void connection.open());
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p={{ base: 'md', xs: 'xl' }} maw={480} w="100%">
        <Stack>
          <Title order={1} size="h2">
            {t('login.title')}
          </Title>
          <OldLink />
          {hasToken && <TokenForm />}
          {hasToken && <Divider label={t('login.or')} />}
          <LinkHelp />
        </Stack>
      </Paper>
    </Center>
  );
}

/** Says that the link, by which somebody came here, opens nothing. The next time this page is loaded it does not. */
function OldLink() {
  const { t } = useTranslation();
  const [isOver] = useState(() => new URLSearchParams(location.search).get('link') === 'over');
  useEffect(() => {
    if (isOver) history.replaceState(null, '', `${location.pathname}${location.hash}`);
  }, [isOver]);
  if (!isOver) return null;
  return (
    <Alert color="yellow" icon={<IconLinkOff aria-hidden />} title={t('login.linkOver')} role="alert">
      {t('login.linkOverHelp')}
    </Alert>
  );
}

function TokenForm() {
  const { t } = useTranslation();
  const [token, setToken] = useState('');
  const login = useMutation({ mutationFn: logIn, onSuccess: () => connection.open(), networkMode: 'always' });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    login.mutate(token);
  };
  return (
    <Stack component="form" onSubmit={submit}>
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
  );
}

/** Which command makes a link, as it is typed where Quarry is installed and in its sources. */
function LinkHelp() {
  const { t } = useTranslation();
  return (
    <>
      <Text>{t('login.byLink')}</Text>
      <Command line="quarry open" />
      <Text size="sm">{t('login.inSources')}</Text>
      <Command line="npm run -s quarry -- open" />
      <Text size="sm" c="dimmed">
        {t('login.inApp')}
      </Text>
    </>
  );
}

function Command({ line }: { line: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(line);
  return (
    <Group gap="xs" wrap="nowrap">
      <Code block flex={1} fz="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {line}
      </Code>
      <ActionIcon
        variant="default"
        size="lg"
        onClick={copy}
        aria-label={t(copied ? 'action.copied' : 'login.copyCommand', { line })}
      >
        {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      </ActionIcon>
    </Group>
  );
}
