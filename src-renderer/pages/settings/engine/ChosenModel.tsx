import { Anchor, NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { SettingMarks } from '../../../components/setting-field/SettingMarks.tsx';
import { useSettingField } from '../../../components/setting-field/useSettingField.ts';
import { useTitles } from '../../../components/useTitles.ts';
import { modelTitle } from '../../../i18n/model-title.ts';

const AUTOMATIC = '';

/** The model that mining loads, out of those that are here. */
export function ChosenModel() {
  const { t } = useTranslation('settings');
  const field = useSettingField('model');
  const titleOf = useTitles();
  const { data: models = [] } = useAnswer(api.models.list.queryOptions());
  if (!field) return null;
  const labelOf = (name: string) => [titleOf(name), modelTitle(name).quantisation].filter(Boolean).join(' · ');
  const { setting, held, error, save } = field;
  const value = typeof setting.value === 'string' ? setting.value : AUTOMATIC;
  const names = new Set([...models.map(({ name }) => name), value]);
  names.delete(AUTOMATIC);
  const choices = [...names].map((name) => ({ value: name, label: labelOf(fileName(name)) }));
  return (
    <div>
      <NativeSelect
        label={t('field.model.label')}
        description={error ? undefined : <Help />}
        data={[{ value: AUTOMATIC, label: t('engine.automatic') }, ...choices]}
        value={value}
        disabled={held}
        styles={{ wrapper: { maxWidth: 400 } }}
        error={error}
        onChange={(event) => save(event.currentTarget.value || null)}
      />
      <SettingMarks field={field} label={t('field.model.label')} />
    </div>
  );
}

/** A file may be named by its path instead. */
function fileName(model: string): string {
  return model.split(/[\\/]/).at(-1) ?? model;
}

function Help() {
  const { t } = useTranslation('settings');
  return (
    <>
      {t('field.model.help')}{' '}
      <Anchor href="#/models/catalogue" fz="inherit" underline="always">
        {t('engine.toModels')}
      </Anchor>
    </>
  );
}
