import { ActionIcon, Group, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface QuietSpanProps {
  /** As the setting writes it: `22:00-07:00`. */
  span: string;
  disabled: boolean;
  onChange: (span: string) => void;
  onRemove: () => void;
}

/** One daily span of time, saved when one of its ends is left. */
export function QuietSpan({ span, disabled, onChange, onRemove }: QuietSpanProps) {
  const { t } = useTranslation('settings');
  const [from = '', setFrom] = useState(span.split('-')[0]);
  const [until = '', setUntil] = useState(span.split('-')[1]);
  const changed = `${from}-${until}`;
  const commit = () => from && until && changed !== span && onChange(changed);
  return (
    <Group gap={6}>
      <TextInput
        type="time"
        w={132}
        aria-label={t('quiet.from')}
        value={from}
        disabled={disabled}
        onChange={(event) => setFrom(event.currentTarget.value)}
        onBlur={commit}
      />
      <Text size="sm">{t('quiet.until')}</Text>
      <TextInput
        type="time"
        w={132}
        aria-label={t('quiet.untilLabel')}
        value={until}
        disabled={disabled}
        onChange={(event) => setUntil(event.currentTarget.value)}
        onBlur={commit}
      />
      <ActionIcon
        variant="subtle"
        color="red"
        disabled={disabled}
        aria-label={t('quiet.remove', { from, until })}
        onClick={onRemove}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
