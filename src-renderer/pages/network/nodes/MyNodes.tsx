import { Box, Button, Group, Text } from '@mantine/core';
import { IconLogin2, IconPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FleetNode } from '../../../../src-preload/contract/fleet.ts';
import { client } from '../../../api/client.ts';
import { useLiveValue } from '../../../api/live.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import classes from '../../../components/page/table.module.css';
import { onWantedAction } from '../../../state/wanted.ts';
import { AddNode } from './AddNode.tsx';
import { JoinNode } from './JoinNode.tsx';
import { NodeInspector } from './NodeInspector.tsx';
import { NodesFigures } from './NodesFigures.tsx';
import { NodesTable } from './NodesTable.tsx';
import { RemoveNode } from './RemoveNode.tsx';
import { toldApart } from './told-apart.ts';

/** This node and the others of its owner: what all of them do and earned, the details of one, and the ways to pair and part them. */
export function MyNodes() {
  const { t } = useTranslation('network');
  const [attempt, setAttempt] = useState(0);
  const { value: view, error } = useLiveValue((signal) => client.fleet.watch(undefined, { signal }), String(attempt));
  const [selected, setSelected] = useState<string>();
  const [dialog, setDialog] = useState<'add' | 'join'>();
  const [removing, setRemoving] = useState<FleetNode>();
  useEffect(() => onWantedAction('addNode', () => setDialog('add')), []);
  useEffect(() => onWantedAction('joinNode', () => setDialog('join')), []);
  const nodes = toldApart(view?.nodes ?? []);
  const isAlone = view !== undefined && nodes.length === 1;
  const ways = (
    <Group gap="xs">
      <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={() => setDialog('add')}>
        {t('mine.add')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconLogin2 size={15} stroke={1.6} aria-hidden />}
        onClick={() => setDialog('join')}
      >
        {t('mine.join')}
      </Button>
    </Group>
  );
  if (error && !view) {
    return (
      <PageBody>
        <ErrorNote error={error} onRetry={() => setAttempt(attempt + 1)} />
      </PageBody>
    );
  }
  return (
    <>
      <ListAndDetails
        title={t('mine.node')}
        rows={nodes}
        keyOf={({ id }) => id}
        selected={selected}
        onSelect={setSelected}
        details={(node) => <NodeInspector key={node.id} node={node} onRemove={() => setRemoving(node)} />}
      >
        {(shown, select) => (
          <>
            <NodesFigures nodes={view?.nodes} />
            {!isAlone && view && <Box className={classes.tools}>{ways}</Box>}
            {!view && <TableSkeleton rows={3} />}
            {view && (
              <Box mt={isAlone ? 16 : 0}>
                <NodesTable nodes={nodes} selected={shown} onSelect={select} />
              </Box>
            )}
            {isAlone && (
              <Box className={classes.pad}>
                <EmptyState title={t('mine.empty.title')}>
                  <Text size="sm" maw={560}>
                    {t('mine.empty.what')} {t('mine.empty.how')}
                  </Text>
                  <Box mt={12}>{ways}</Box>
                </EmptyState>
              </Box>
            )}
          </>
        )}
      </ListAndDetails>
      {dialog === 'add' && view && <AddNode view={{ ...view, nodes }} onClose={() => setDialog(undefined)} />}
      {dialog === 'join' && <JoinNode nodes={nodes} onClose={() => setDialog(undefined)} />}
      {removing && <RemoveNode node={removing} onClose={() => setRemoving(undefined)} />}
    </>
  );
}
