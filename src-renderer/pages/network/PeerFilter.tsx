import { CloseButton, Group, SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type PeerChoice, ROLE_CHOICES } from './peer-list.ts';

interface PeerFilterProps {
  choice: PeerChoice;
  onChange: (choice: PeerChoice) => void;
}

/** Narrows the peers down by role, id and model. */
export function PeerFilter({ choice, onChange }: PeerFilterProps) {
  const { t } = useTranslation('network');
  return (
    <Group gap="sm">
      <SegmentedControl
        aria-label={t('peers.role')}
        data={ROLE_CHOICES.map((value) => ({ value, label: t(`peers.choice.${value}`) }))}
        value={choice.role}
        onChange={(role) => onChange({ ...choice, role })}
      />
      <TextInput
        aria-label={t('peers.search')}
        placeholder={t('peers.search')}
        leftSection={<IconSearch size={16} aria-hidden />}
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
        flex="1 1 220px"
        maw={360}
      />
    </Group>
  );
}
