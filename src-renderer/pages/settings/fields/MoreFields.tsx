import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import type { NamedPath } from '../../../components/setting-field/named-path.ts';
import { SettingField } from '../../../components/setting-field/SettingField.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import { FormSection } from './Fields.tsx';
import { moreOf, type Place } from './layout.ts';

/** The settings of a tab that have a name and no section of their own: new ones fall into place by themselves. */
export function MoreFields({ place }: { place: Place }) {
  const { t } = useTranslation('settings');
  const { data } = useAnswer(api.settings.list.queryOptions());
  const named = moreOf(place, data?.settings ?? []).filter(({ path }) => i18n.exists(`settings:field.${path}.label`));
  if (place === 'all' || named.length === 0) return null;
  return (
    <FormSection title={t('more')}>
      {named.map(({ path }) => (
        <SettingField key={path} path={path as NamedPath} />
      ))}
    </FormSection>
  );
}
