import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FleetView } from '../../../../src-preload/contract/fleet.ts';
import { api } from '../../../api/client.ts';
import { CopyButton } from '../../../components/copy/CopyButton.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import classes from './nodes.module.css';
import { OwnName } from './OwnName.tsx';
import { Paired } from './Paired.tsx';
import { TimeLeft } from './TimeLeft.tsx';

/** Shows a code until another node has used it. It stays good when the dialog is closed, but by its button. */
export function AddNode({ view, onClose }: { view: FleetView; onClose: () => void }) {
  const { t } = useTranslation(['network', 'common']);
  const [mayControl, setMayControl] = useState(false);
  const offer = useMutation(api.fleet.offer.mutationOptions());
  const cancel = useMutation(api.fleet.cancelOffer.mutationOptions({ onSuccess: onClose }));
  const shown = view.offer;
  // What was used before this dialog came is not its business.
  const paired = offer.data && view.nodes.find(({ id }) => id === shown?.pairedWith);
  const code = paired ? undefined : shown?.code;
  return (
    <Modal opened onClose={onClose} title={t('network:mine.offer.title')} size={480} centered>
      <Stack>
        {paired && (
          <>
            <Paired node={paired} />
            <Group justify="flex-end">
              <Button onClick={onClose}>{t('common:action.close')}</Button>
            </Group>
          </>
        )}
        {!paired && code === undefined && (
          <>
            <Text size="sm">{t('network:mine.offer.what')}</Text>
            <OwnName nodes={view.nodes} />
            {offer.data && !offer.isPending && shown === undefined && (
              <Text size="sm" c="var(--q-ink-2)">
                {t('network:mine.offer.over')}
              </Text>
            )}
            <Checkbox
              label={t('network:mine.offer.allow')}
              checked={mayControl}
              onChange={(event) => setMayControl(event.currentTarget.checked)}
            />
            <ErrorNote error={offer.error} />
            <Group justify="flex-end">
              <Button loading={offer.isPending} onClick={() => offer.mutate({ mayControl })}>
                {t(offer.data ? 'network:mine.offer.again' : 'network:mine.offer.make')}
              </Button>
            </Group>
          </>
        )}
        {shown && code !== undefined && (
          <>
            <Text size="sm">{t('network:mine.offer.explain')}</Text>
            <Text className={classes.code} role="textbox" aria-readonly aria-label={t('network:mine.offer.code')}>
              {code}
            </Text>
            <Text size="sm" c="var(--q-ink-2)">
              {t('network:mine.offer.terminal')} <code>quarry my-nodes join</code>
            </Text>
            <Text size="sm" c="var(--q-ink-2)" role="status">
              {t('network:mine.offer.waiting')} <TimeLeft until={shown.expiresAt} />
            </Text>
            <ErrorNote error={cancel.error} />
            <Group justify="space-between">
              <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
                {t('network:mine.offer.cancel')}
              </Button>
              <CopyButton text={code} />
            </Group>
          </>
        )}
      </Stack>
    </Modal>
  );
}
