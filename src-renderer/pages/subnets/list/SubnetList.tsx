import { Box, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChainChips, ChainNote } from '../../../components/chain/ChainState.tsx';
import type { Chain } from '../../../components/chain/use-chain.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { Pager } from '../../../components/page/Pager.tsx';
import { SearchField } from '../../../components/page/SearchField.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import classes from '../../../components/page/table.module.css';
import { usePages } from '../../../components/page/use-pages.ts';
import { useFormat } from '../../../i18n/format.ts';
import { RegisterDialog } from '../calls/RegisterDialog.tsx';
import { useSubnets } from '../use-subnets.ts';
import { SubnetInspector } from './SubnetInspector.tsx';
import { SubnetTable } from './SubnetTable.tsx';
import { chooseSubnets, type SubnetOrder, sortSubnets } from './subnet-list.ts';

const ROWS = 50;

/** All subnets, own ones first, with the short of one beside them. */
export function SubnetList({ chain }: { chain: Chain }) {
  const { t } = useTranslation('subnets');
  const format = useFormat();
  const { data, error, refetch } = useSubnets();
  const [text, setText] = useState('');
  const [order, setOrder] = useState<SubnetOrder>({ key: 'netuid', descending: false });
  const [selected, setSelected] = useState<number>();
  const [registering, setRegistering] = useState<number>();
  const chosen = sortSubnets(chooseSubnets(data ?? [], text), order);
  const { rows, ...pager } = usePages(chosen, ROWS);
  const isLost = chain.state?.status === 'lost';
  const find = (wanted: string) => {
    setText(wanted);
    pager.setPage(1);
  };
  return (
    <>
      <ListAndDetails
        title={t('list.subnet')}
        rows={rows}
        keyOf={({ netuid }) => netuid}
        selected={selected}
        onSelect={setSelected}
        details={(subnet) => (
          <SubnetInspector subnet={subnet} onRegister={isLost ? undefined : () => setRegistering(subnet.netuid)} />
        )}
      >
        {(shown, select) => (
          <>
            <div className={classes.tools}>
              <SearchField label={t('list.search')} value={text} onChange={find} />
              <ChainChips state={chain.state} />
              <span className={classes.space} />
              {data && (
                <span className={classes.beside} role="status">
                  {t('list.shown', {
                    count: data.length,
                    shown: format.number(chosen.length),
                    all: format.number(data.length),
                  })}
                </span>
              )}
            </div>
            <Box className={classes.pad} pb={0} pt={4} hidden={!isLost && chain.state?.status !== 'behind' && !error}>
              <Stack gap="sm">
                <ChainNote chain={chain} />
                {error !== null && !isLost && <ErrorNote error={error} onRetry={() => void refetch()} />}
              </Stack>
            </Box>
            {!data && <TableSkeleton rows={8} />}
            {rows.length > 0 && (
              <SubnetTable subnets={rows} order={order} onOrder={setOrder} selected={shown} onSelect={select} />
            )}
            {data && (
              <Box className={classes.pad}>
                {rows.length === 0 && <EmptyState title={t('list.noMatch')}>{t('list.noMatchHint')}</EmptyState>}
                <Pager {...pager} label={t('list.pages')} />
                <Text size="xs" c="dimmed" maw={640} mt="sm">
                  {t('list.about')}
                </Text>
              </Box>
            )}
          </>
        )}
      </ListAndDetails>
      {registering !== undefined && <RegisterDialog netuid={registering} onClose={() => setRegistering(undefined)} />}
    </>
  );
}
