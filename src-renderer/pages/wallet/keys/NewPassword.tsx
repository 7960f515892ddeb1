import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MIN_PASSWORD_CHARS } from '../../../../src-preload/contract/limits.ts';
import { StrengthHint } from '../../../components/backup/StrengthHint.tsx';
import { MOST_PASSWORD_CHARS } from './limits.ts';

interface NewPasswordProps {
  /** Told the password as soon as it is long enough and was typed twice; undefined as long as it is not. */
  onChange: (password: string | undefined) => void;
  description?: string;
  error?: string | undefined;
  autoFocus?: boolean;
}

/** A password that is to be, typed twice. */
export function NewPassword({ onChange, description, error, autoFocus }: NewPasswordProps) {
  const { t } = useTranslation(['wallet', 'backup']);
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const tell = (first: string, second: string) =>
    onChange(first.length >= MIN_PASSWORD_CHARS && first === second ? first : undefined);
  return (
    <>
      <div>
        <PasswordInput
          label={t('wallet:password.new')}
          description={description ?? t('wallet:password.least', { least: MIN_PASSWORD_CHARS })}
          value={password}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            tell(event.currentTarget.value, again);
          }}
          error={error}
          maxLength={MOST_PASSWORD_CHARS}
          autoComplete="new-password"
          data-autofocus={autoFocus || undefined}
        />
        <StrengthHint password={password} />
      </div>
      <PasswordInput
        label={t('wallet:password.again')}
        value={again}
        onChange={(event) => {
          setAgain(event.currentTarget.value);
          tell(password, event.currentTarget.value);
        }}
        error={again.length >= password.length && again !== password && t('backup:differs')}
        maxLength={MOST_PASSWORD_CHARS}
        autoComplete="new-password"
      />
    </>
  );
}
