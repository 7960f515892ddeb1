import { PasswordInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorAt } from '../../../components/errors/field-error.ts';
import { MOST_PASSWORD_CHARS } from './limits.ts';

interface KeyPasswordProps {
  label: string;
  value: string;
  onChange: (password: string) => void;
  error: unknown;
  /** The key is being opened, which takes seconds. */
  opening?: boolean;
  autoFocus?: boolean;
}

/** The password that a key has now. */
export function KeyPassword({ label, value, onChange, error, opening = false, autoFocus = false }: KeyPasswordProps) {
  const { t } = useTranslation('wallet');
  return (
    <PasswordInput
      label={label}
      description={opening ? t('password.opening') : undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={errorAt(error, 'password')}
      maxLength={MOST_PASSWORD_CHARS}
      autoComplete="off"
      data-autofocus={autoFocus || undefined}
    />
  );
}
