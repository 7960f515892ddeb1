import { Button, Group, PasswordInput } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../components/errors/ErrorNote.tsx';
import { Note } from '../../components/Note.tsx';
import { Section } from '../../components/Section.tsx';
import { useFormat } from '../../i18n/format.ts';
import { ApiRefusal, askApi, TEST_QUESTION } from './ask-api.ts';
import type { Access } from './programs.ts';

/** Asks the API as a program would, and shows what comes back. */
export function ApiTest({ access }: { access: Access }) {
  const { t } = useTranslation(['connect', 'common']);
  const format = useFormat();
  const [token, setToken] = useState('');
  const running = useRef<AbortController>(undefined);
  const test = useMutation({
    mutationFn: () => {
      running.current = new AbortController();
      return askApi(access, token, running.current.signal);
    },
  });
  useEffect(() => () => running.current?.abort(), []);
  const { data, error, isPending } = test;
  return (
    <Section title={t('test.title')} description={t('test.explain', { question: TEST_QUESTION, model: access.model })}>
      <Group align="flex-end" mb="sm">
        {access.token && (
          <PasswordInput
            label={t('test.token')}
            description={t('test.tokenHelp')}
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
            w={320}
            maw="100%"
          />
        )}
        <Button
          leftSection={<IconPlayerPlay size={15} aria-hidden />}
          loading={isPending}
          onClick={() => test.mutate()}
        >
          {t('test.run')}
        </Button>
        {isPending && (
          <Button variant="default" onClick={() => running.current?.abort()}>
            {t('common:action.cancel')}
          </Button>
        )}
      </Group>
      {data && (
        <Note
          state="good"
          icon={IconCheck}
          role="status"
          title={t(data.overHttp ? 'test.works' : 'test.worksInside', { time: format.duration(data.ms) })}
        >
          {data.text || t('test.empty')}
        </Note>
      )}
      {error instanceof ApiRefusal && (
        <Note state="error" icon={IconAlertTriangle} role="alert" title={t('test.refused')}>
          {error.message}
        </Note>
      )}
      {error && !(error instanceof ApiRefusal) && error.name !== 'AbortError' && <ErrorNote error={error} />}
    </Section>
  );
}
