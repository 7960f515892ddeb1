import { Radio, Stack, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SettingsCard } from './SettingsCard.tsx';

/** Light, dark, or as the system. Kept in this browser: another one may look different. */
export function AppearanceSection() {
  const { t } = useTranslation(['settings', 'common']);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SettingsCard title={t('appearance.title')} help={t('appearance.help')}>
      <Radio.Group
        aria-label={t('appearance.title')}
        value={colorScheme}
        onChange={(scheme) => setColorScheme(scheme as typeof colorScheme)}
      >
        <Stack gap="sm">
          {(['auto', 'light', 'dark'] as const).map((scheme) => (
            <Radio key={scheme} value={scheme} label={t(`common:theme.${scheme}`)} />
          ))}
        </Stack>
      </Radio.Group>
    </SettingsCard>
  );
}
