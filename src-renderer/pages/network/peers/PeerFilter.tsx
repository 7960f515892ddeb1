import { CloseButton, SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../../../components/page/table.module.css';
import { type PeerChoice, ROLE_CHOICES } from './peer-list.ts';

interface PeerFilterProps {
  choice: PeerChoice;
  onChange: (choice: PeerChoice) => void;
  /** How many that leaves. */
  children: ReactNode;
}

/** Narrows the peers down by role, id and model. */
export function PeerFilter({ choice, onChange, children }: PeerFilterProps) {
  const { t } = useTranslation('network');
  return (
    <div className={classes.tools}>
      <TextInput
        className={classes.search}
        aria-label={t('peers.search')}
        placeholder={t('peers.search')}
        leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
        rightSection={
          choice.text && (
            <CloseButton
              size="sm"
              aria-label={t('peers.clearSearch')}
              onClick={() => onChange({ ...choice, text: '' })}
            />
          )
        }
        value={choice.text}
        maxLength={100}
        onChange={(event) => onChange({ ...choice, text: event.currentTarget.value })}
      />
      <SegmentedControl
        size="sm"
        aria-label={t('peers.role')}
        data={ROLE_CHOICES.map((value) => ({ value, label: t(`peers.choice.${value}`) }))}
        value={choice.role}
        onChange={(role) => onChange({ ...choice, role })}
      />
      <span className={classes.space} />
      <span className={classes.beside} role="status">
        {children}
      </span>
    </div>
  );
}
