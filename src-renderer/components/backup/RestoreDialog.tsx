import { Button, FileButton, Group, Loader, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconFileImport } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupHeader, OpenedBackup } from '../../../src-preload/contract/backup.ts';
import { MAX_PASSWORD_CHARS, shortId } from '../../../src-preload/contract/limits.ts';
import { client } from '../../api/client.ts';
import { ignoring } from '../../api/ignoring.ts';
import { useFormat } from '../../i18n/format.ts';
import { useByteWork } from '../byte-work/useByteWork.ts';
import { WorkProgress } from '../byte-work/WorkProgress.tsx';
import { ErrorNote } from '../errors/ErrorNote.tsx';
import { Note } from '../Note.tsx';
import { bringBackup } from './transfer.ts';

/** Milliseconds between two looks whether the other node is there. */
const LOOK_EVERY_MS = 1_000;

interface DialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Has a backup chosen and opened, says which node it is and what gives way, and becomes that node. */
export function RestoreDialog({ opened, onClose }: DialogProps) {
  const { t } = useTranslation('backup');
  const [header, setHeader] = useState<BackupHeader>();
  const [found, setFound] = useState<OpenedBackup>();
  const become = useMutation({ mutationFn: becomeNode, onSuccess: () => location.reload() });
  const close = () => {
    if (become.isPending) return; // it is decided
    setHeader(undefined);
    setFound(undefined);
    void client.backup.discard().catch(ignoring('the next start of the node forgets it'));
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={t('restore')}>
      {found ? (
        <Confirm
          found={found}
          error={become.error}
          isPending={become.isPending}
          onConfirm={() => become.mutate(found.backup.node)}
          onClose={close}
        />
      ) : header ? (
        <Open header={header} onOpened={setFound} onClose={close} />
      ) : (
        <Choose onChosen={setHeader} onClose={close} />
      )}
    </Modal>
  );
}

function Choose({ onChosen, onClose }: { onChosen: (header: BackupHeader) => void; onClose: () => void }) {
  const { t } = useTranslation(['backup', 'common']);
  const work = useByteWork();
  const show = useMutation({ mutationFn: () => client.backup.show(), onSuccess: onChosen });
  const bring = async (file: File | null) => {
    if (!file) return;
    let isWhole = false;
    await work.start(async (signal) => {
      async function* brought() {
        yield* bringBackup(file as File, signal);
        isWhole = true;
      }
      return brought();
    });
    if (isWhole) show.mutate();
  };
  if (work.step === 'running') return <WorkProgress label={t('bringing')} progress={work.progress} />;
  return (
    <Stack>
      <Text size="sm">{t('chooseHelp')}</Text>
      <ErrorNote error={work.error ?? show.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common:action.cancel')}
        </Button>
        <FileButton accept=".quarry-backup" onChange={(file) => void bring(file)}>
          {(props) => (
            <Button leftSection={<IconFileImport size={15} aria-hidden />} data-autofocus {...props}>
              {t('choose')}
            </Button>
          )}
        </FileButton>
      </Group>
    </Stack>
  );
}

interface OpenProps {
  header: BackupHeader;
  onOpened: (found: OpenedBackup) => void;
  onClose: () => void;
}

function Open({ header, onOpened, onClose }: OpenProps) {
  const { t } = useTranslation(['backup', 'common']);
  const format = useFormat();
  const [password, setPassword] = useState('');
  const open = useMutation({ mutationFn: () => client.backup.open({ password }), onSuccess: onOpened });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (password !== '' && !open.isPending) open.mutate();
      }}
    >
      <Stack>
        <Text size="sm">{t('found', { node: shortId(header.node), when: format.time(header.createdAt) })}</Text>
        <PasswordInput
          label={t('password')}
          description={!open.error && t('openHelp')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          maxLength={MAX_PASSWORD_CHARS}
          autoComplete="off"
          data-autofocus
        />
        <ErrorNote error={open.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:action.cancel')}
          </Button>
          <Button
            type="submit"
            disabled={password === ''}
            loading={open.isPending}
            aria-label={t(open.isPending ? 'opening' : 'open')}
          >
            {t('open')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ConfirmProps {
  found: OpenedBackup;
  error: unknown;
  isPending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

function Confirm({ found: { backup, here }, error, isPending, onConfirm, onClose }: ConfirmProps) {
  const { t } = useTranslation(['backup', 'common']);
  const format = useFormat();
  const books = ({ receipts, points }: { receipts: number; points: number }) => ({
    receipts: format.number(receipts),
    points: format.number(points),
  });
  if (isPending) {
    return (
      <Group role="status">
        <Loader size="sm" />
        <Text size="sm">{t('starting')}</Text>
      </Group>
    );
  }
  return (
    <Stack>
      <Text size="sm" fw={550}>
        {t('found', { node: shortId(backup.node), when: format.time(backup.createdAt) })}
      </Text>
      <Text size="sm">
        {t('inBackup', books(backup))} {t('asksFirst')}
      </Text>
      {here && here.receipts > 0 && (
        <Text size="sm">{t('replaces', { node: shortId(here.node), ...books(here) })}</Text>
      )}
      <Note state="pause" icon={IconAlertTriangle}>
        {t('notTwice')}
      </Note>
      <ErrorNote error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('common:action.cancel')}
        </Button>
        <Button onClick={onConfirm}>{t('become')}</Button>
      </Group>
    </Stack>
  );
}

/** Resolves when the node that is here is the other one. */
async function becomeNode(node: string): Promise<void> {
  const { startedAt } = await client.node.status();
  await client.backup.restore();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    const status = await client.node.status().catch(ignoring('it is starting'));
    if (status?.id === node && status.startedAt !== startedAt) return; // it may be the same one from before
  }
}
