import { Button, Input, Skeleton, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { SettingMarks } from '../../../components/setting-field/SettingMarks.tsx';
import { useSettingField } from '../../../components/setting-field/useSettingField.ts';
import { QuietSpan } from './QuietSpan.tsx';

const PATH = 'policy.quietHours';
/** What a new span begins with: a night. */
const NIGHT = '22:00-07:00';

/** Daily spans of time; each change is saved at once. */
export function QuietHours() {
  const { t } = useTranslation('settings');
  const field = useSettingField(PATH);
  if (!field) return <Skeleton h={56} />;
  const { setting, held, error, save } = field;
  const spans = (setting.value as string[] | undefined) ?? [];
  const label = t(`field.${PATH}.label`);
  return (
    <div>
      <Input.Wrapper
        label={label}
        labelElement="div"
        description={error ? undefined : t(`field.${PATH}.help`)}
        error={error}
      >
        <Stack gap="xs" my={4} align="flex-start">
          {spans.length === 0 && <Text size="sm">{t('quiet.none')}</Text>}
          {spans.map((span, index) => (
            <QuietSpan
              key={`${index} ${span}`}
              span={span}
              disabled={held}
              onChange={(changed) => save(spans.with(index, changed))}
              onRemove={() => save(spans.toSpliced(index, 1))}
            />
          ))}
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={held}
            onClick={() => save([...spans, NIGHT])}
          >
            {t('quiet.add')}
          </Button>
        </Stack>
      </Input.Wrapper>
      <SettingMarks field={field} label={label} />
    </div>
  );
}
