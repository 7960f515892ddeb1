import { Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/format.ts';

interface TaoInputProps {
  label: string;
  /** As it is typed. */
  value: string;
  onChange: (value: string) => void;
  /** Default TAO. */
  unit?: 'TAO' | 'α';
  description?: ReactNode;
  error?: string | undefined;
  autoFocus?: boolean;
}

/** A field for an amount, as the screens' language writes it; what is none is said at once. */
export function TaoInput({ label, value, onChange, unit = 'TAO', description, error, autoFocus }: TaoInputProps) {
  const { t } = useTranslation('chain');
  const format = useFormat();
  const isNone = value.trim() !== '' && format.readTao(value) === undefined;
  return (
    <TextInput
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      description={description}
      error={isNone ? t('amount.looks', { example: format.taoExact('1250000000') }) : error}
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
      maxLength={24}
      rightSection={
        <Text size="sm" c="var(--q-ink-2)" pr={10}>
          {unit}
        </Text>
      }
      rightSectionWidth={52}
      rightSectionPointerEvents="none"
      data-autofocus={autoFocus || undefined}
    />
  );
}
