import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DataSource } from '../../../src-preload/contract/data.ts';
import { useSettingField } from '../../components/setting-field/useSettingField.ts';
import { worded } from '../../i18n/worded.ts';

const LIST = 'data.sources';

/** Of a source that is off: what whoever asks it agrees to, and the button that switches it on. */
export function SwitchOn({ source: { kind, terms } }: { source: DataSource }) {
  const { t } = useTranslation('data');
  const field = useSettingField(LIST);
  if (!field) return null;
  const { setting, held, error, saving, save } = field;
  const on = Array.isArray(setting.value) ? setting.value : [];
  return (
    <div>
      {terms && (
        <Text size="xs" c="var(--q-ink-2)">
          {worded(terms, 'text')}
        </Text>
      )}
      <Button
        size="compact-sm"
        mt={4}
        variant="default"
        loading={saving}
        disabled={held}
        aria-label={t('sources.switchOnOf', { source: t(`source.${kind}`) })}
        onClick={() => save([...on, kind])}
      >
        {t('sources.switchOn')}
      </Button>
      {error && (
        <Text role="alert" size="xs" c="var(--q-error)" mt={4}>
          {error}
        </Text>
      )}
    </div>
  );
}
