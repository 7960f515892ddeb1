import { Button, SegmentedControl } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { MetagraphView, NeuronView } from '../../../../src-preload/contract/chain.ts';
import { SearchField } from '../../../components/page/SearchField.tsx';
import classes from '../../../components/page/table.module.css';
import { saveFile } from '../../../components/saving/save-file.ts';
import { useFormat } from '../../../i18n/format.ts';
import { neuronsCsv, neuronsFileName } from './neuron-csv.ts';
import { NEURON_CHOICES, type NeuronChoice } from './neuron-list.ts';

interface NeuronToolsProps {
  subnet: MetagraphView;
  /** What the choice leaves, in its order. */
  chosen: readonly NeuronView[];
  choice: NeuronChoice;
  onChange: (choice: NeuronChoice) => void;
}

/** Narrows the neurons down, and saves what that leaves as CSV. */
export function NeuronTools({ subnet, chosen, choice, onChange }: NeuronToolsProps) {
  const { t } = useTranslation('subnets');
  const format = useFormat();
  const save = () =>
    saveFile(new Blob([neuronsCsv(chosen)], { type: 'text/csv;charset=utf-8' }), neuronsFileName(subnet));
  return (
    <div className={classes.tools}>
      <SearchField label={t('neurons.search')} value={choice.text} onChange={(text) => onChange({ ...choice, text })} />
      <SegmentedControl
        size="sm"
        aria-label={t('neurons.whose')}
        data={NEURON_CHOICES.map((value) => ({ value, label: t(`neurons.choice.${value}`) }))}
        value={choice.whose}
        onChange={(whose) => onChange({ ...choice, whose })}
      />
      <span className={classes.space} />
      <span className={classes.beside} role="status">
        {t('neurons.shown', {
          count: subnet.rows.length,
          shown: format.number(chosen.length),
          all: format.number(subnet.rows.length),
        })}
      </span>
      <Button
        variant="default"
        leftSection={<IconDownload size={15} stroke={1.6} aria-hidden />}
        aria-label={t('neurons.csv')}
        title={t('neurons.csv')}
        disabled={chosen.length === 0}
        onClick={save}
      >
        CSV
      </Button>
    </div>
  );
}
