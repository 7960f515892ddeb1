import { Anchor, Badge, Group, Text } from '@mantine/core';
import { IconCheck, IconLock, IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { worded } from '../../i18n/worded.ts';
import type { SettingHandle } from './useSettingField.ts';

interface SettingMarksProps {
  field: SettingHandle;
  label: string;
  /** Whether one press takes back what was set in the app. Default true. */
  resettable?: boolean;
}

/** What there is to know about a field: who holds it, when it takes effect, that it was saved, and the way back. */
export function SettingMarks({ field, label, resettable = true }: SettingMarksProps) {
  const { t } = useTranslation('settings');
  const { setting, held, saved, saving, save } = field;
  return (
    <Group gap="sm" mt={4}>
      {setting.withheld && (
        <Text size="xs" c="red">
          {worded(setting, 'withheld')}
        </Text>
      )}
      {held && <Held field={field} />}
      {setting.waitsForRestart ? (
        <Badge size="sm" color="yellow" variant="light" leftSection={<IconRefresh size={12} aria-hidden />}>
          {t('marks.waits')}
        </Badge>
      ) : (
        setting.applies === 'restart' &&
        !held && (
          <Text size="xs" c="dimmed">
            {t('marks.restart')}
          </Text>
        )
      )}
      {setting.origin === 'file' && (
        <Text size="xs" c="dimmed">
          {t('marks.file')}
        </Text>
      )}
      {setting.origin === 'app' && !held && resettable && (
        <Anchor
          component="button"
          type="button"
          size="xs"
          disabled={saving}
          onClick={() => save(null)}
          aria-label={t('marks.resetOf', { label })}
        >
          {t('marks.reset')}
        </Anchor>
      )}
      <Text size="xs" role="status" c="dimmed">
        {saved && !saving && (
          <Group component="span" gap={4}>
            <IconCheck size={14} aria-hidden />
            {t('marks.saved')}
          </Group>
        )}
      </Text>
    </Group>
  );
}

function Held({ field: { setting } }: { field: SettingHandle }) {
  const { t } = useTranslation('settings');
  const by = setting.origin === 'environment' ? 'environment' : 'commandLine';
  return (
    <Group gap={4} wrap="nowrap" c="dimmed">
      <IconLock size={14} aria-hidden style={{ flexShrink: 0 }} />
      <Text size="xs">{t(setting.path === 'dataDir' ? 'marks.held.dataDir' : `marks.held.${by}`)}</Text>
    </Group>
  );
}
