import { Button, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/Section.tsx';
import { SettingControl } from '../../../components/setting-field/SettingControl.tsx';
import { wantSetting } from '../../../state/wanted.ts';

const FIELDS = ['keep', 'when', 'use'] as const;

/** What people change; the way to the others. */
export function LearningSettings() {
  const { t } = useTranslation('learning');
  return (
    <Section
      title={t('settings.title')}
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
        {FIELDS.map((name) => (
          <SettingControl
            key={name}
            path={`learning.${name}`}
            label={t(`settings.${name}.label`)}
            help={t(`settings.${name}.help`)}
          />
        ))}
      </Stack>
    </Section>
  );
}
