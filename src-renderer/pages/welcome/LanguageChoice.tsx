import { Select, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { LANGUAGES } from '../../i18n/i18n.ts';
import { useSetSettings, useSetting } from '../../state/settings.ts';

export function LanguageChoice() {
  const { t } = useTranslation('welcome');
  const language = useSetting<string>('language') ?? 'system';
  const set = useSetSettings();
  const named = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));
  return (
    <Stack gap="sm">
      <Select
        label={t('hello.language')}
        data={[{ value: 'system', label: t('hello.systemLanguage') }, ...named]}
        value={language}
        onChange={(chosen) => chosen && set.mutate({ changes: { language: chosen } })}
        allowDeselect={false}
        size="md"
      />
      <ErrorNote error={set.error} />
    </Stack>
  );
}
