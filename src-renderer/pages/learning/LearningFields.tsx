import { Button, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/Section.tsx';
import { SettingControl } from '../../components/setting-field/SettingControl.tsx';
import { wantSetting } from '../../state/wanted.ts';

interface LearningFieldsProps {
  title: string;
  /** Settings, without their section. */
  names: readonly ('keep' | 'when' | 'use' | 'memoryMb' | 'economy' | 'trainForOthers')[];
}

/** Some settings of learning, and the way to the others. */
export function LearningFields({ title, names }: LearningFieldsProps) {
  const { t } = useTranslation('learning');
  return (
    <Section
      title={title}
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
        {names.map((name) => (
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
