import { Button, Text, Title } from '@mantine/core';
import { IconHandStop, IconLock, IconScreenShare } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Section } from '../../../components/Section.tsx';
import { useSetSettings, useSetting } from '../../../state/settings.ts';
import classes from './tasks.module.css';

const STEPS = [
  { step: 'record', icon: IconScreenShare },
  { step: 'stay', icon: IconLock },
  { step: 'forget', icon: IconHandStop },
] as const;

/** What is recorded, where it stays, what is never kept, and how it is taken back: at the top until somebody has understood it. */
export function Guide() {
  const { t } = useTranslation('focus');
  const isWanted = useSetting<boolean>('focus.showGuide');
  const set = useSetSettings();
  if (isWanted !== true) return null;
  return (
    <Section title={t('guide.title')}>
      <ol className={classes.guide}>
        {STEPS.map(({ step, icon: Icon }) => (
          <li key={step} className={classes.step}>
            <Icon size={22} stroke={1.6} aria-hidden color="var(--q-mining)" />
            <Title order={3}>{t(`guide.${step}.title`)}</Title>
            <Text size="sm">{t(`guide.${step}.what`)}</Text>
            <Text size="sm" fw={550}>
              {t(`guide.${step}.never`)}
            </Text>
          </li>
        ))}
      </ol>
      <Button loading={set.isPending} onClick={() => set.mutate({ changes: { 'focus.showGuide': false } })}>
        {t('guide.done')}
      </Button>
      <ErrorNote error={set.error} />
    </Section>
  );
}
