import { Button, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { Section } from '../../../components/Section.tsx';
import { SettingControl } from '../../../components/setting-field/SettingControl.tsx';
import { wantSetting } from '../../../state/wanted.ts';
import { TrainerChoice } from './TrainerChoice.tsx';

const LIMITS = ['memoryMb', 'economy', 'trainForOthers'] as const;

/** Where the computing is done while the model learns, what that takes, and how much it may take. */
export function Training() {
  const { t } = useTranslation('learning');
  return (
    <PageBody>
      <Section title={t('training.title')} description={t('training.what')}>
        <TrainerChoice />
      </Section>
      <Section
        title={t('training.limits')}
        aside={
          <Button
            component="a"
            href="#/settings/all"
            size="xs"
            variant="default"
            onClick={() => wantSetting('learning.')}
          >
            {t('settings.all')}
          </Button>
        }
      >
        <Stack maw={520}>
          {LIMITS.map((name) => (
            <SettingControl
              key={name}
              path={`learning.${name}`}
              label={t(`settings.${name}.label`)}
              help={t(`settings.${name}.help`)}
            />
          ))}
        </Stack>
      </Section>
    </PageBody>
  );
}
