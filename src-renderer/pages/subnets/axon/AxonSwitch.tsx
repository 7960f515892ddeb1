import { Button } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStopFilled } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AxonState } from '../../../../src-preload/contract/axon.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { Section } from '../../../components/Section.tsx';
import { settingValue } from '../../../state/settings.ts';

/** Starts and stops the axon; why it does not run stands below. */
export function AxonSwitch({ axon: { running, error } }: { axon: AxonState }) {
  const { t } = useTranslation('subnets');
  const start = useMutation(api.axon.start.mutationOptions());
  const stop = useMutation(api.axon.stop.mutationOptions());
  const action = running ? stop : start;
  const lacks = useLacks() && !running;
  const Icon = running ? IconPlayerStopFilled : IconPlayerPlay;
  return (
    <Section
      title={t('axon.title')}
      description={t('axon.what')}
      aside={
        <Button
          variant={running ? 'default' : 'filled'}
          leftSection={<Icon size={15} stroke={1.6} aria-hidden />}
          loading={action.isPending}
          disabled={lacks}
          onClick={() => action.mutate(undefined)}
        >
          {t(running ? 'axon.stop' : 'axon.start')}
        </Button>
      }
    >
      {lacks && <Note role="status">{t('axon.lacks', { settings: t('axon.settings') })}</Note>}
      <ErrorNote error={action.error ?? (running || lacks ? undefined : error)} />
    </Section>
  );
}

/** Whether the settings name no hotkey, or no subnet where one is needed. False while they are on their way. */
function useLacks(): boolean {
  const { data } = useAnswer(api.settings.list.queryOptions());
  const isSet = (path: string) => settingValue(data, path) !== undefined;
  const needsNetuid = settingValue(data, 'axon.callers') !== 'anyone';
  return data !== undefined && !(isSet('axon.wallet') && (isSet('axon.netuid') || !needsNetuid));
}
