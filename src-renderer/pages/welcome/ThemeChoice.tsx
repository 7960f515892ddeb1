import { Input, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const SCHEMES = ['light', 'dark', 'auto'] as const;

export function ThemeChoice() {
  const { t } = useTranslation('common');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Input.Wrapper label={t('theme.label')} labelElement="div" size="md">
      <SegmentedControl
        aria-label={t('theme.label')}
        data={SCHEMES.map((value) => ({ value, label: t(`theme.${value}`) }))}
        value={colorScheme}
        onChange={setColorScheme}
        fullWidth
        size="md"
      />
    </Input.Wrapper>
  );
}
