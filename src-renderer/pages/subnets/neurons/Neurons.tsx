import { Box } from '@mantine/core';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MetagraphView } from '../../../../src-preload/contract/chain.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { Pager } from '../../../components/page/Pager.tsx';
import classes from '../../../components/page/table.module.css';
import { usePages } from '../../../components/page/use-pages.ts';
import { NeuronInspector } from './NeuronInspector.tsx';
import { NeuronTable } from './NeuronTable.tsx';
import { NeuronTools } from './NeuronTools.tsx';
import { ALL_NEURONS, chooseNeurons, type NeuronOrder, sortNeurons } from './neuron-list.ts';

const ROWS = 50;

interface NeuronsProps {
  subnet: MetagraphView;
  /** Number of the neuron whose details are shown; undefined before one was chosen. */
  selected: number | undefined;
  onSelect: (uid: number) => void;
  /** What stands above the table, told how a neuron is selected there. */
  children: (onSelect: (uid: number) => void) => ReactNode;
}

/** A subnet's neurons, found by role or text, in an order of one's choice, a page at a time, with the details of one. */
export function Neurons({ subnet, selected, onSelect, children }: NeuronsProps) {
  const { t } = useTranslation('subnets');
  const [choice, setChoice] = useState(ALL_NEURONS);
  const [order, setOrder] = useState<NeuronOrder>({ key: 'incentive', descending: true });
  const wanted = useDeferredValue(choice); // typing goes on while thousands are gone through
  const chosen = useMemo(() => sortNeurons(chooseNeurons(subnet.rows, wanted), order), [subnet.rows, wanted, order]);
  const { rows, ...pager } = usePages(chosen, ROWS);
  const fromTheTop =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      pager.setPage(1);
    };
  return (
    <ListAndDetails
      title={t('neurons.neuron')}
      rows={[...rows, ...subnet.rows]} // also what is chosen above, and not on this page
      keyOf={({ uid }) => uid}
      selected={selected}
      onSelect={onSelect}
      details={(neuron) => <NeuronInspector neuron={neuron} subnet={subnet} />}
    >
      {(shown, select) => (
        <>
          {children(select)}
          <NeuronTools subnet={subnet} chosen={chosen} choice={choice} onChange={fromTheTop(setChoice)} />
          {rows.length > 0 && (
            <NeuronTable
              neurons={rows}
              order={order}
              onOrder={fromTheTop(setOrder)}
              selected={shown}
              onSelect={select}
            />
          )}
          <Box className={classes.pad}>
            {rows.length === 0 && (
              <EmptyState title={t(subnet.rows.length === 0 ? 'neurons.none' : 'neurons.noMatch')}>
                {t(subnet.rows.length === 0 ? 'neurons.noneHint' : 'neurons.noMatchHint')}
              </EmptyState>
            )}
            <Pager {...pager} label={t('neurons.pages')} />
          </Box>
        </>
      )}
    </ListAndDetails>
  );
}
