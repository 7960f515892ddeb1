import { Alert, Button, List, Skeleton, Stack, Text } from '@mantine/core';
import {
  type Icon,
  IconAlertTriangle,
  IconCircleCheck,
  IconHelpCircle,
  IconPlugConnectedX,
  IconRefresh,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Reachability } from '../../../src-preload/contract/mesh.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { Section } from '../../components/Section.tsx';
import { worded } from '../../i18n/worded.ts';

type Kind = Reachability['nat'] | 'offline';

const LOOKS: Record<Kind, { colour: string; icon: Icon }> = {
  open: { colour: 'green', icon: IconCircleCheck },
  consistent: { colour: 'green', icon: IconCircleCheck },
  random: { colour: 'yellow', icon: IconAlertTriangle },
  unknown: { colour: 'gray', icon: IconHelpCircle },
  offline: { colour: 'red', icon: IconPlugConnectedX },
};

/** The node learns more about its place by and by. */
const LOOK_AGAIN_MS = 15_000;

/** Whether others find this node, and what to do if they do not. */
export function ReachabilityCard() {
  const { t } = useTranslation(['network', 'common']);
  const { data, error, refetch } = useAnswer(api.mesh.reachability.queryOptions({ refetchInterval: LOOK_AGAIN_MS }));
  return (
    <Section
      title={t('network:reach.title')}
      description={t('network:reach.description')}
      aside={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={() => void refetch()}
        >
          {t('common:action.refresh')}
        </Button>
      }
    >
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      {!data && !error && <Skeleton h={140} />}
      {data && <Finding of={data} />}
    </Section>
  );
}

function Finding({ of: view }: { of: Reachability }) {
  const { online, nat, address } = view;
  const { t } = useTranslation('network');
  const kind: Kind = online ? nat : 'offline';
  const { colour, icon: KindIcon } = LOOKS[kind];
  const steps = t(`reach.${kind}.todo`, { returnObjects: true }) as string[];
  return (
    <Alert color={colour} icon={<KindIcon aria-hidden />} title={t(`reach.${kind}.title`)} role="status">
      <Stack gap="xs">
        <Text size="sm">{t(`reach.${kind}.found`)}</Text>
        {steps.length > 0 && (
          <List size="sm">
            {steps.map((step) => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
        )}
        {address && <Text size="sm">{t('reach.address', { address })}</Text>}
        {!online && (
          <Text size="xs" c="dimmed">
            {t('reach.detail', { found: worded(view, 'found') })}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
