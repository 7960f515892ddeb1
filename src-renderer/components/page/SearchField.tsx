import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './table.module.css';

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** Narrows a list down by what is typed. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      className={classes.search}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
      rightSection={
        value && <CloseButton size="sm" aria-label={t('action.clearSearch')} onClick={() => onChange('')} />
      }
      value={value}
      maxLength={100}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
