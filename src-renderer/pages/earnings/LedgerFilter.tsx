import { Button, Group, MultiSelect, TextInput } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { isKnownKind } from './kinds.ts';
import { EVERYTHING, type LedgerChoice, toFilter } from './ledger-filter.ts';

interface LedgerFilterProps {
  /** The kinds that there are. */
  kinds: string[];
  choice: LedgerChoice;
  onChange: (choice: LedgerChoice) => void;
}

/** Narrows the ledger down to some kinds and some days. */
export function LedgerFilter({ kinds, choice, onChange }: LedgerFilterProps) {
  const { t } = useTranslation('earnings');
  const chosen = choice.kinds.length > 0 || choice.from !== '' || choice.to !== '';
  return (
    <Group align="flex-start" gap="sm">
      <MultiSelect
        label={t('ledger.kinds')}
        placeholder={choice.kinds.length === 0 ? t('ledger.allKinds') : undefined}
        data={kinds.map((kind) => ({ value: kind, label: isKnownKind(kind) ? t(`kind.${kind}.name`) : kind }))}
        value={choice.kinds}
        onChange={(value) => onChange({ ...choice, kinds: value })}
        clearable
        flex="2 1 260px"
      />
      <TextInput
        type="date"
        label={t('ledger.from')}
        value={choice.from}
        max={choice.to || undefined}
        onChange={(event) => onChange({ ...choice, from: event.currentTarget.value })}
        flex="1 1 150px"
      />
      <TextInput
        type="date"
        label={t('ledger.to')}
        value={choice.to}
        min={choice.from || undefined}
        error={toFilter(choice) ? undefined : t('ledger.order')}
        onChange={(event) => onChange({ ...choice, to: event.currentTarget.value })}
        flex="1 1 150px"
      />
      <Button
        variant="default"
        mt={{ base: 0, sm: 25 }}
        leftSection={<IconFilterOff size={16} aria-hidden />}
        disabled={!chosen}
        onClick={() => onChange(EVERYTHING)}
      >
        {t('ledger.clear')}
      </Button>
    </Group>
  );
}
