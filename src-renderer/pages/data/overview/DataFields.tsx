import { Button, Stack } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Section, SectionPair } from '../../../components/Section.tsx';
import { SettingControl } from '../../../components/setting-field/SettingControl.tsx';
import { wantSetting } from '../../../state/wanted.ts';

/** Where videos come from, what reads them and how much room they take, and the way to all other settings. */
export const DataFields = memo(function DataFields() {
  const { t } = useTranslation('data');
  return (
    <SectionPair>
      <Section title={t('settings.sources')}>
        <Stack>
          <Field name="folders" />
          <Field name="peertube" />
          <Field name="ytdlp" />
          <Field name="contact" />
        </Stack>
      </Section>
      <Section
        title={t('settings.here')}
        aside={
          <Button component="a" href="#/settings/all" size="xs" variant="default" onClick={() => wantSetting('data.')}>
            {t('settings.all')}
          </Button>
        }
      >
        <Stack>
          <Field name="ffmpeg" />
          <Field name="diskBudget" />
        </Stack>
      </Section>
    </SectionPair>
  );
});

function Field({ name }: { name: 'folders' | 'peertube' | 'ytdlp' | 'contact' | 'ffmpeg' | 'diskBudget' }) {
  const { t } = useTranslation('data');
  return <SettingControl path={`data.${name}`} label={t(`settings.${name}.label`)} help={t(`settings.${name}.help`)} />;
}
