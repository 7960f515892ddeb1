import { Stack } from '@mantine/core';
import { ChainNote } from '../../../components/chain/ChainState.tsx';
import type { Chain } from '../../../components/chain/use-chain.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { PageSkeleton } from '../../../components/page/PageSkeleton.tsx';
import classes from '../subnets.module.css';
import { AxonFigures } from './AxonFigures.tsx';
import { AxonReach } from './AxonReach.tsx';
import { AxonRefusals } from './AxonRefusals.tsx';
import { AxonSettings } from './AxonSettings.tsx';
import { AxonSwitch } from './AxonSwitch.tsx';
import { NeuronsNote } from './NeuronsNote.tsx';
import { useAxon } from './use-axon.ts';

/** This computer's axon: whether it runs, where others find it, and what they asked. */
export function AxonPlace({ chain }: { chain: Chain }) {
  const { axon, error, again } = useAxon();
  if (!axon) {
    return error ? (
      <PageBody>
        <ErrorNote error={error} onRetry={again} />
      </PageBody>
    ) : (
      <PageSkeleton />
    );
  }
  return (
    <PageBody>
      <Stack gap="sm" mb={16} className={classes.notes}>
        <ChainNote chain={chain} />
        <ErrorNote error={error} onRetry={again} />
        <NeuronsNote axon={axon} />
      </Stack>
      <AxonFigures axon={axon} />
      <AxonSwitch axon={axon} />
      <AxonReach axon={axon} />
      <AxonRefusals axon={axon} />
      <AxonSettings />
    </PageBody>
  );
}
