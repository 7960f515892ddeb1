import { Box, Button, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../../src-preload/contract/limits.ts';
import type { PeersView, Reachability } from '../../../../src-preload/contract/mesh.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Figure, Figures } from '../../../components/Figures.tsx';
import { Note } from '../../../components/Note.tsx';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import { useNode } from '../../../state/node.ts';
import { CopyId } from '../CopyId.tsx';
import { isMiner } from './peer-list.ts';

type Kind = Reachability['nat'] | 'offline';

/** The node learns more about its place by and by. */
const LOOK_AGAIN_MS = 15_000;

/** How many peers there are, whether others reach this node, and its id; below them what to do where they do not. */
export function NetworkFigures({ view }: { view: PeersView | undefined }) {
  const { t } = useTranslation(['network', 'common']);
  const format = useFormat();
  const status = useNode((node) => node.status);
  const { data, error, refetch } = useAnswer(api.mesh.reachability.queryOptions({ refetchInterval: LOOK_AGAIN_MS }));
  const kind: Kind | undefined = data && (data.online ? data.nat : 'offline');
  const miners = view?.peers.filter(isMiner).length ?? 0;
  return (
    <Box className={classes.pad} pt={{ base: 16, sm: 24 }} pb={12}>
      <Figures>
        <Figure
          label={t('network:self.peers')}
          value={view && format.number(view.peers.length)}
          note={view && miners > 0 && t('network:self.miners', { count: miners, formatted: format.number(miners) })}
        />
        <Figure
          label={t('network:reach.title')}
          value={kind && t(`network:reach.${kind}.title`)}
          note={kind && t(`network:reach.${kind}.found`)}
        />
        <Figure
          wide
          label={t('network:self.id')}
          value={status && <ThisId id={status.id} />}
          note={status && t('network:self.mesh', { role: t(`common:role.${status.role}`), mesh: status.mesh })}
        />
      </Figures>
      {error !== null && !data && (
        <Box mt={16}>
          <ErrorNote error={error} onRetry={() => void refetch()} />
        </Box>
      )}
      {data && kind && (kind === 'random' || kind === 'offline') && (
        <Box mt={16}>
          <Hindrance kind={kind} view={data} onAgain={() => void refetch()} />
        </Box>
      )}
    </Box>
  );
}

function ThisId({ id }: { id: string }) {
  return (
    <>
      <Text span inherit ff="monospace" fz={22}>
        {shortId(id)}
      </Text>
      <CopyId id={id} />
    </>
  );
}

interface HindranceProps {
  kind: 'random' | 'offline';
  view: Reachability;
  onAgain: () => void;
}

/** Why others do not get through, and what puts it right. */
function Hindrance({ kind, view, onAgain }: HindranceProps) {
  const { t } = useTranslation(['network', 'common']);
  const offline = kind === 'offline';
  const again = (
    <Button size="xs" variant="default" onClick={onAgain}>
      {t('network:reach.again')}
    </Button>
  );
  return (
    <Note
      state={offline ? 'error' : 'pause'}
      icon={offline ? IconPlugConnectedX : IconAlertTriangle}
      title={t(`network:reach.${kind}.fix`)}
      role="status"
      actions={again}
    >
      <List size="sm" my={4}>
        {(t(`network:reach.${kind}.todo`, { returnObjects: true }) as string[]).map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      {offline && worded(view, 'found')}
    </Note>
  );
}
