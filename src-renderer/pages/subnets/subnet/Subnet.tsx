import { Anchor, Box, SegmentedControl, Skeleton, Stack, Title } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { MetagraphView } from '../../../../src-preload/contract/chain.ts';
import { ChainChips, ChainNote } from '../../../components/chain/ChainState.tsx';
import type { Chain } from '../../../components/chain/use-chain.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import classes from '../../../components/page/table.module.css';
import { Neurons } from '../neurons/Neurons.tsx';
import { pathOfSubnet, SUBNET_VIEWS, type SubnetView } from '../subnet-address.ts';
import own from '../subnets.module.css';
import { useSubnetName } from '../use-subnet-name.ts';
import { useSubnet } from '../use-subnets.ts';
import { OwnNeurons } from './OwnNeurons.tsx';
import { Rules } from './Rules.tsx';
import { SubnetActions } from './SubnetActions.tsx';
import { SubnetFigures } from './SubnetFigures.tsx';

interface SubnetProps {
  netuid: number;
  view: SubnetView;
  chain: Chain;
}

/** One subnet: what it costs and pays, one's own neurons, all neurons, and its rules. */
export function Subnet({ netuid, view, chain }: SubnetProps) {
  const { t } = useTranslation('subnets');
  const { data: subnet, error, refetch } = useSubnet(netuid);
  const [selected, setSelected] = useState<number>();
  const [, navigate] = useLocation();
  const isLost = chain.state?.status === 'lost';
  const top = (
    <>
      <Head netuid={netuid} subnet={subnet ?? undefined} chain={chain} />
      <Box className={classes.pad} pt={0} pb={0}>
        <Stack gap="sm">
          <ChainNote chain={chain} />
          {error !== null && !isLost && <ErrorNote error={error} onRetry={() => void refetch()} />}
        </Stack>
        {subnet === null && <EmptyState title={t('subnet.none', { netuid })}>{t('subnet.noneHint')}</EmptyState>}
      </Box>
    </>
  );
  if (!subnet) {
    return (
      <>
        {top}
        {subnet === undefined && <TableSkeleton rows={8} />}
      </>
    );
  }
  const above = (onSelect: (uid: number) => void) => (
    <>
      {top}
      <SubnetFigures subnet={subnet} />
      <OwnNeurons subnet={subnet} selected={selected} onSelect={onSelect} />
      <Views netuid={netuid} view={view} />
    </>
  );
  if (view === 'neurons') {
    return (
      <Neurons subnet={subnet} selected={selected} onSelect={setSelected}>
        {above}
      </Neurons>
    );
  }
  const showNeuron = (uid: number) => {
    setSelected(uid);
    navigate(pathOfSubnet(netuid));
  };
  return (
    <>
      {above(showNeuron)}
      <Rules subnet={subnet} />
    </>
  );
}

/** The way back, what it is called, how the chain stands, and what can be done. */
function Head({ netuid, subnet, chain }: { netuid: number; subnet: MetagraphView | undefined; chain: Chain }) {
  const { t } = useTranslation('subnets');
  const nameOf = useSubnetName();
  return (
    <div className={own.head}>
      <Anchor href="#/subnets" className={own.back} aria-label={t('subnet.back')} title={t('subnet.back')}>
        <IconChevronLeft size={18} stroke={1.6} aria-hidden />
      </Anchor>
      <Title order={2} className={own.name}>
        {subnet ? <bdi>{nameOf(subnet)}</bdi> : <Skeleton h={18} w={120} />}
      </Title>
      {subnet?.name && <span className={classes.beside}>{t('number', { netuid })}</span>}
      <ChainChips state={chain.state} />
      <span className={classes.space} />
      {subnet && <SubnetActions subnet={subnet} able={chain.state?.status !== 'lost'} />}
    </div>
  );
}

function Views({ netuid, view }: { netuid: number; view: SubnetView }) {
  const { t } = useTranslation('subnets');
  const [, navigate] = useLocation();
  return (
    <div className={own.views}>
      <SegmentedControl
        size="sm"
        aria-label={t('subnet.views')}
        data={SUBNET_VIEWS.map((value) => ({ value, label: t(`${value}.title`) }))}
        value={view}
        onChange={(value) => navigate(pathOfSubnet(netuid, value))}
      />
    </div>
  );
}
