import { Box, Button } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconPlayerStop, type TablerIcon } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AxonState } from '../../../../src-preload/contract/axon.ts';
import { placeText } from '../../../../src-preload/contract/place.ts';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { Facts } from '../../../components/page/Inspector.tsx';
import { Section } from '../../../components/Section.tsx';
import type { State } from '../../../components/state.ts';
import { worded } from '../../../i18n/worded.ts';

const LOOKS: Record<AxonState['reach']['status'], { state: State; icon: TablerIcon }> = {
  ok: { state: 'good', icon: IconCheck },
  warn: { state: 'pause', icon: IconAlertTriangle },
  fail: { state: 'error', icon: IconAlertTriangle },
  skip: { state: 'idle', icon: IconPlayerStop },
};

/** Where others find the axon, who says so, whether anybody does, and what to do where nobody does. */
export function AxonReach({ axon: { running, external, announced, reach } }: { axon: AxonState }) {
  const { t } = useTranslation('subnets');
  const check = useMutation(api.axon.check.mutationOptions());
  const { state, icon } = LOOKS[reach.status];
  return (
    <Section
      title={t('axon.reach')}
      aside={
        <Button variant="default" disabled={!running} loading={check.isPending} onClick={() => check.mutate(undefined)}>
          {t('axon.check')}
        </Button>
      }
    >
      <Note state={state} icon={icon} title={worded(reach, 'found')} role="status">
        {worded(reach, 'advice')}
      </Note>
      <Box mt={12}>
        <Facts
          facts={[
            [t('axon.address'), external && placeText(external)],
            [t('axon.saidBy'), external && t(`axon.from.${external.from}`)],
            [t('axon.announced'), running && (announced ? placeText(announced) : t('neurons.noAxon'))],
          ]}
        />
      </Box>
      <ErrorNote error={check.error} />
    </Section>
  );
}
