import { Alert, Anchor, Text } from '@mantine/core';
import { IconAlertCircle, IconEye } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import type { AskOptions } from '../../../src-preload/contract/conversations.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';
import { useLedgerNews } from '../../state/ledger-news.ts';
import { useNode } from '../../state/node.ts';

/** Who is in reach changes, and no event tells. */
const LOOK_AGAIN_MS = 10_000;

/** What one should know before asking: who can read it, what it costs, and what is in the way. */
export function TargetNotes({ options: { target } }: { options: AskOptions }) {
  return target === 'mesh' ? <MeshNotes /> : <LocalNotes />;
}

function MeshNotes() {
  const { t } = useTranslation('playground');
  const format = useFormat();
  const peers = useNode(({ status }) => status?.peers);
  useLedgerNews();
  const { data } = useAnswer(api.credits.debtors.queryOptions({ input: { limit: 1 }, refetchInterval: LOOK_AGAIN_MS }));
  const number = (value: number) => format.number(value);
  return (
    <>
      <Alert variant="light" color="yellow" py="xs" icon={<IconEye aria-hidden />}>
        <Text size="sm">
          {t('readable')}{' '}
          {data && t('credits', { count: data.owes, formatted: number(data.owes), inReach: number(data.inReach ?? 0) })}
        </Text>
      </Alert>
      {peers === 0 && (
        <Hindrance>
          <Trans
            t={t}
            i18nKey="noPeers"
            components={{ page: <Anchor href="#/network" underline="always" c="inherit" /> }}
          />
        </Hindrance>
      )}
    </>
  );
}

function LocalNotes() {
  const { t } = useTranslation('playground');
  const status = useNode((node) => node.status);
  if (!status) return null;
  const { engine } = status;
  if (engine.model?.tiny) {
    return (
      <Hindrance>
        <Trans
          t={t}
          i18nKey="tiny"
          components={{ page: <Anchor href="#/models/catalogue" underline="always" c="inherit" /> }}
        />
      </Hindrance>
    );
  }
  if (engine.state === 'ready') return null;
  if (engine.state === 'broken') return <Hindrance>{worded(engine, 'error') ?? t('engineBroken')}</Hindrance>;
  return <Hindrance>{t('loadsFirst')}</Hindrance>;
}

function Hindrance({ children }: { children: ReactNode }) {
  return (
    <Alert variant="light" color="blue" py="xs" icon={<IconAlertCircle aria-hidden />}>
      <Text size="sm">{children}</Text>
    </Alert>
  );
}
