import { ActionIcon, Button, PasswordInput } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconCheck, IconCopy, IconLinkOff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { connection, useConnection } from '../api/connection.ts';
import { logIn } from '../api/session.ts';
import { useCopy } from '../components/copy/useCopy.ts';
import { ErrorNote } from '../components/errors/ErrorNote.tsx';
import { Note } from '../components/Note.tsx';
import classes from './login.module.css';

/** The ways in for a browser: the node's token, where it has one, and a link. */
export function Login() {
  const { t } = useTranslation();
  const hasToken = useConnection((state) => state.hasToken);
  // A link that was opened in another tab lets this one in too.
  useWindowEvent('focus', () => void connection.open());
  return (
    <main className={classes.screen}>
      <span className={classes.mark}>
        <img src="./icon.svg" alt="" width={24} height={24} />
        {t('appName')}
      </span>
      <div className={classes.panel}>
        <h1 className={classes.title}>{t('login.title')}</h1>
        <OldLink />
        {hasToken && <TokenForm />}
        <LinkHelp isOnlyWay={!hasToken} />
      </div>
    </main>
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
    <Note state="pause" icon={IconLinkOff} title={t('login.linkOver')} role="alert">
      {t('login.linkOverHelp')}
    </Note>
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
    <form className={classes.form} onSubmit={submit}>
      <PasswordInput
        label={t('login.token')}
        description={t('login.explain')}
        value={token}
        onChange={(event) => setToken(event.currentTarget.value)}
        autoComplete="current-password"
        required
        withAsterisk={false}
        data-autofocus
      />
      <ErrorNote error={login.error} />
      <Button type="submit" fullWidth loading={login.isPending}>
        {t('login.submit')}
      </Button>
    </form>
  );
}

/** Which command makes a link, as it is typed where Quarry is installed, and in a checkout as it is typed there. */
function LinkHelp({ isOnlyWay }: { isOnlyWay: boolean }) {
  const { t } = useTranslation();
  const inCheckout = useConnection((state) => state.inCheckout);
  return (
    <div className={classes.link}>
      <p>{t(isOnlyWay ? 'login.byLink' : 'login.orByLink')}</p>
      <Command line="quarry open" />
      {inCheckout && <Command line="npm run -s quarry -- open" />}
    </div>
  );
}

function Command({ line }: { line: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(line);
  return (
    <div className={classes.command}>
      <code>{line}</code>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={34}
        onClick={copy}
        aria-label={t(copied ? 'action.copied' : 'login.copyCommand', { line })}
      >
        {copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
      </ActionIcon>
    </div>
  );
}
