import { Anchor } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import type { AskOptions } from '../../../src-preload/contract/conversations.ts';
import type { NodeStatus } from '../../../src-preload/contract/node.ts';
import { Note } from '../../components/Note.tsx';
import { worded } from '../../i18n/worded.ts';
import { useNode } from '../../state/node.ts';

/** What is in the way of an answer, and what to do about it; nothing where nothing is. */
export function Hindrance({ target }: { target: AskOptions['target'] }) {
  const status = useNode((node) => node.status);
  if (!status) return null;
  return target === 'mesh' ? <OnMesh peers={status.peers} /> : <Here engine={status.engine} />;
}

function OnMesh({ peers }: { peers: number }) {
  const { t } = useTranslation('playground');
  if (peers > 0) return null;
  return (
    <Told>
      <Trans t={t} i18nKey="noPeers" components={{ page: <Link to="#/network" /> }} />
    </Told>
  );
}

function Here({ engine }: Pick<NodeStatus, 'engine'>) {
  const { t } = useTranslation('playground');
  if (engine.model?.tiny) {
    return (
      <Told>
        <Trans t={t} i18nKey="tiny" components={{ page: <Link to="#/models/catalogue" /> }} />
      </Told>
    );
  }
  return engine.state === 'broken' ? <Told>{worded(engine, 'error') ?? t('engineBroken')}</Told> : null;
}

function Told({ children }: { children: ReactNode }) {
  return (
    <Note state="wait" icon={IconInfoCircle}>
      {children}
    </Note>
  );
}

function Link({ to, children }: { to: string; children?: ReactNode }) {
  return (
    <Anchor href={to} underline="always" c="inherit" inherit>
      {children}
    </Anchor>
  );
}
