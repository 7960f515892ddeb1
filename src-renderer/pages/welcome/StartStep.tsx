import { Group, Loader, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { PolicyView } from '../../../src-preload/contract/node.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { useNode } from '../../state/node.ts';
import { downloadOf } from './choices.ts';
import { DownloadCard } from './DownloadCard.tsx';
import { Promises } from './Promises.tsx';
import { StartActions } from './StartActions.tsx';
import { StepFrame } from './StepFrame.tsx';
import { useLeave } from './use-leave.ts';
import { useStart } from './use-start.ts';
import type { StepProps } from './Welcome.tsx';
import { useWelcome } from './welcome-state.ts';

/** Says what mining does and never does, and starts it. */
export function StartStep({ downloads, onBack }: StepProps) {
  const { t } = useTranslation('welcome');
  const download = downloadOf(
    downloads,
    useWelcome((welcome) => welcome.picked),
  );
  const { leave } = useLeave();
  const start = useStart(leave);
  const { state, error } = useStanding(start);
  return (
    <StepFrame
      title={t('start.title')}
      intro={t(`start.intro.${state}`)}
      onBack={onBack}
      actions={<StartActions start={start} state={state} downloads={download !== undefined} />}
    >
      <Stack gap="lg">
        {download && <DownloadCard download={download} />}
        <Promises />
        <PolicySentence />
        {start.isPending && <Starting />}
        <ErrorNote error={error} />
        {error && <Text size="sm">{t('start.failedHelp')}</Text>}
      </Stack>
    </StepFrame>
  );
}

/** How mining stands; an earlier start, of the node itself perhaps, may have failed too. */
function useStanding({ isPending, error }: ReturnType<typeof useStart>) {
  const status = useNode((node) => node.status);
  if (status && !status.mining) return { state: 'asks' as const };
  if (status?.mining?.state === 'running') return { state: 'running' as const, error };
  const earlier = status?.mining?.error && new QuarryError(status.mining.error);
  const failure = isPending ? undefined : (error ?? earlier);
  return { state: failure ? ('failed' as const) : ('stopped' as const), error: failure };
}

function Starting() {
  const { t } = useTranslation('welcome');
  return (
    <Group role="status">
      <Loader size="sm" aria-hidden />
      <Text size="sm">{t('start.loading')}</Text>
    </Group>
  );
}

/** When mining steps back for whoever uses this computer, in a sentence. */
function PolicySentence() {
  const { t, i18n } = useTranslation('welcome');
  const rules = useNode(({ status }) => status?.policy?.rules);
  if (!rules) return null;
  const list = new Intl.ListFormat(i18n.language, { type: 'disjunction' });
  const when = (action: Action) =>
    list.format(rules.filter((one) => one.action === action).map(({ rule }) => t(`policy.rule.${rule}`)));
  const parts = { pauses: when('pause'), slows: when('throttle') };
  const sentence = parts.pauses ? (parts.slows ? 'both' : 'pauses') : parts.slows ? 'slows' : 'none';
  return <Text>{[t(`policy.${sentence}`, parts), t('policy.settings')].join(' ')}</Text>;
}

type Action = PolicyView['rules'][number]['action'];
