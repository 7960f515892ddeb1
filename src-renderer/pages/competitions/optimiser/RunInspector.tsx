import { Button, Stack } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStopFilled } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { OptimiserRun } from '../../../../src-preload/contract/optimiser.ts';
import { api } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { refreshRuns } from './use-optimiser.ts';
import { useSpeed } from './use-speed.ts';

/** What is known of a search, and what can be done with it. */
export function RunInspector({ run }: { run: OptimiserRun }) {
  const { t } = useTranslation('optimiser');
  const format = useFormat();
  const { times, within } = useSpeed();
  const { plan, best, error, endedBy } = run;
  return (
    <Inspector title={run.model ?? t('run.noModel')} description={t(`state.${run.state}`)}>
      {error && (
        <Block>
          <ErrorNote error={new QuarryError(error)} />
        </Block>
      )}
      <Block>
        <Facts
          facts={[
            [t('run.best'), best && times(best.ratio)],
            [t('run.certain'), best && within(best)],
            [t('run.ended'), endedBy && t(`ended.${endedBy}`)],
            [t('run.ideas'), format.number(run.iterations)],
            [t('run.attempts'), format.number(run.attempts)],
            [t('run.modelTokens'), format.number(run.modelTokens)],
            [t('form.tokens'), format.number(plan.tokens)],
            [t('run.start'), t(run.isOwn ? 'run.own' : 'run.baseline')],
            [t('run.begun'), format.time(run.createdAt)],
          ]}
        />
      </Block>
      <Block>
        <Actions run={run} />
      </Block>
    </Inspector>
  );
}

function Actions({ run: { id, state, iterations, plan } }: { run: OptimiserRun }) {
  const { t } = useTranslation('optimiser');
  const [removing, setRemoving] = useState(false);
  const changed = { onSettled: refreshRuns };
  const stop = useMutation(api.optimiser.stop.mutationOptions(changed));
  const resume = useMutation(api.optimiser.resume.mutationOptions(changed));
  const remove = useMutation(api.optimiser.remove.mutationOptions(changed));
  const goesOn = state === 'stopped' || state === 'failed' || (state === 'done' && iterations < plan.iterations);
  return (
    <Stack gap={8}>
      {state === 'running' && (
        <Button
          variant="default"
          leftSection={<IconPlayerStopFilled size={15} aria-hidden />}
          loading={stop.isPending}
          onClick={() => stop.mutate({ id })}
        >
          {t('act.stop')}
        </Button>
      )}
      {goesOn && (
        <Button
          leftSection={<IconPlayerPlay size={15} stroke={1.6} aria-hidden />}
          loading={resume.isPending}
          onClick={() => resume.mutate({ id })}
        >
          {t('act.goOn')}
        </Button>
      )}
      <Button variant="default" c="var(--q-error)" disabled={state === 'running'} onClick={() => setRemoving(true)}>
        {t('act.remove')}
      </Button>
      <ErrorNote error={stop.error ?? resume.error} />
      <ConfirmDialog
        opened={removing}
        title={t('act.remove')}
        action={t('act.removeIt')}
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ id }, { onSuccess: () => setRemoving(false) })}
        onClose={() => setRemoving(false)}
      >
        {t('act.removeMeans')}
      </ConfirmDialog>
    </Stack>
  );
}
