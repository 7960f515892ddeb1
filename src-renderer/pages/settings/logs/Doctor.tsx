import { Button, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconMinus, IconStethoscope, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DoctorView } from '../../../../src-preload/contract/node.ts';
import { client } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Section } from '../../../components/Section.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { worded } from '../../../i18n/worded.ts';
import classes from '../settings.module.css';

const LOOKS = {
  ok: { state: 'good', icon: IconCheck },
  warn: { state: 'pause', icon: IconAlertTriangle },
  fail: { state: 'error', icon: IconX },
  skip: { state: 'idle', icon: IconMinus },
} as const;

/** Where what a check found can be put right, by its name. */
const FIXES: Readonly<Record<string, string>> = {
  gpu: '/settings/engine',
  model: '/models/catalogue',
  disk: '/models',
  'data folder': '/settings/folders',
  port: '/settings/network',
  network: '/network',
  ledger: '/earnings/ledger',
  'my nodes': '/network/nodes',
  backup: '/settings/security',
  secrets: '/settings/all',
  database: '/settings/all',
  versions: '/settings/desktop',
};

/** Examines this computer when asked, and says what to do. */
export function Doctor() {
  const { t } = useTranslation('settings');
  const examine = useMutation({ mutationFn: () => client.node.doctor() });
  const { data, isPending } = examine;
  return (
    <Section
      title={t('doctor.title')}
      description={t('doctor.help')}
      aside={
        <>
          <Text size="sm" role="status" c="var(--q-ink-2)">
            {isPending && t('doctor.running')}
            {data && !isPending && t(data.healthy ? 'doctor.healthy' : 'doctor.unhealthy')}
          </Text>
          <Button
            variant="default"
            leftSection={<IconStethoscope size={15} aria-hidden />}
            loading={isPending}
            onClick={() => examine.mutate()}
          >
            {t('doctor.run')}
          </Button>
        </>
      }
    >
      <ErrorNote error={examine.error} onRetry={() => examine.mutate()} />
      {data && !isPending && (
        <ul className={classes.checks} aria-label={t('doctor.title')}>
          {data.checks.map((check) => (
            <Check key={check.name} {...check} />
          ))}
        </ul>
      )}
    </Section>
  );
}

/** What was looked at, what was found, what to do about it and where, and how it stands. */
function Check({ name, status, ...words }: DoctorView['checks'][number]) {
  const { t } = useTranslation('settings');
  const fix = status === 'ok' || status === 'skip' ? undefined : FIXES[name];
  return (
    <li>
      <b>{t(`doctor.name.${name}`, { defaultValue: name })}</b>
      <div>
        <p>{worded(words, 'found')}</p>
        {words.advice && <p className={classes.advice}>{worded(words, 'advice')}</p>}
        {fix && <a href={`#${fix}`}>{t(`doctor.fix.${name}`)}</a>}
      </div>
      <StateChip {...LOOKS[status]}>{t(`doctor.status.${status}`)}</StateChip>
    </li>
  );
}
