import { Button, MultiSelect, TextInput } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from '../../../components/page/table.module.css';
import { useKindName } from './kinds.ts';
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
  const kindName = useKindName();
  const chosen = choice.kinds.length > 0 || choice.from !== '' || choice.to !== '';
  return (
    <div className={classes.tools} style={{ alignItems: 'flex-start', paddingBottom: 0 }}>
      <MultiSelect
        label={t('ledger.kinds')}
        placeholder={choice.kinds.length === 0 ? t('ledger.allKinds') : undefined}
        data={kinds.map((kind) => ({ value: kind, label: kindName(kind) }))}
        value={choice.kinds}
        onChange={(value) => onChange({ ...choice, kinds: value })}
        clearable
        flex="2 1 220px"
      />
      <TextInput
        type="date"
        label={t('ledger.from')}
        value={choice.from}
        max={choice.to || undefined}
        onChange={(event) => onChange({ ...choice, from: event.currentTarget.value })}
        flex="1 1 130px"
      />
      <TextInput
        type="date"
        label={t('ledger.to')}
        value={choice.to}
        min={choice.from || undefined}
        error={toFilter(choice) ? undefined : t('ledger.order')}
        onChange={(event) => onChange({ ...choice, to: event.currentTarget.value })}
        flex="1 1 130px"
      />
      {chosen && (
        <Button
          variant="default"
          mt={{ base: 0, sm: 23 }}
          leftSection={<IconFilterOff size={15} stroke={1.6} aria-hidden />}
          onClick={() => onChange(EVERYTHING)}
        >
          {t('ledger.clear')}
        </Button>
      )}
    </div>
  );
}
