import { Anchor, Box, NativeSelect, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { SettingMarks } from '../../components/setting-field/SettingMarks.tsx';
import { useSettingField } from '../../components/setting-field/useSettingField.ts';

const AUTOMATIC = '';

/** The model that mining loads, out of those that are here. */
export function ChosenModel() {
  const { t } = useTranslation('settings');
  const field = useSettingField('model');
  const { data: models = [] } = useAnswer(api.models.list.queryOptions());
  if (!field) return null;
  const { setting, held, error, save } = field;
  const value = typeof setting.value === 'string' ? setting.value : AUTOMATIC;
  const names = new Set([...models.map(({ name }) => name), value]);
  names.delete(AUTOMATIC);
  return (
    <Box>
      <NativeSelect
        label={t('field.model.label')}
        description={t('field.model.help')}
        data={[{ value: AUTOMATIC, label: t('engine.automatic') }, ...names]}
        value={value}
        disabled={held}
        error={error}
        onChange={(event) => save(event.currentTarget.value || null)}
      />
      <SettingMarks field={field} label={t('field.model.label')} />
      <Text size="sm">
        <Anchor href="#/models/catalogue">{t('engine.toModels')}</Anchor>
      </Text>
    </Box>
  );
}
