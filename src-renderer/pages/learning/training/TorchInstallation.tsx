import { Button, Group } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCircleDashed, IconDownload, IconTrash, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  TorchProgress,
  TorchState,
  TorchVariant,
  TorchView,
} from '../../../../src-preload/contract/learning-torch.ts';
import { api, client } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Meter } from '../../../components/Meter.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import type { State } from '../../../components/state.ts';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../learning.module.css';
import { refreshLearning } from '../use-learning.ts';

/** While it is installed; whoever began it may be elsewhere. */
const LOOK_AGAIN_MS = 1_000;

const LOOKS: Record<TorchState, { state: State; icon: typeof IconCheck }> = {
  absent: { state: 'idle', icon: IconCircleDashed },
  installing: { state: 'wait', icon: IconDownload },
  ready: { state: 'good', icon: IconCheck },
  broken: { state: 'error', icon: IconAlertTriangle },
};

/** Whether PyTorch is there; how it comes, with what that downloads, and how it goes. */
export function TorchInstallation() {
  const { t } = useTranslation('learning');
  const { data, error } = useAnswer(
    api.learning.torch.queryOptions({
      refetchInterval: ({ state }) => (state.data?.state === 'installing' ? LOOK_AGAIN_MS : false),
    }),
  );
  const install = useMutation({ mutationFn: untilInstalled, onSettled: refreshLearning });
  if (!data) return <ErrorNote error={error} />;
  const { state, icon } = LOOKS[data.state];
  return (
    <>
      <p className={classes.chipLine}>
        <StateChip state={state} icon={icon}>
          {t(`torch.state.${data.state}`)}
        </StateChip>{' '}
        <span className={classes.text}>
          <Installed torch={data} />
        </span>
      </p>
      {data.state === 'installing' ? (
        <Installing progress={data.progress} />
      ) : (
        <Group gap="lg">
          {data.state !== 'ready' && <Choices torch={data} onInstall={(variant) => install.mutate(variant)} />}
          {data.state !== 'absent' && <Remove bytes={data.installed?.bytes} />}
        </Group>
      )}
      <ErrorNote error={isCancelled(install.error) ? null : install.error} />
    </>
  );
}

/** Looks on until it has come to its end: it is told what went wrong. */
async function untilInstalled(variant: TorchVariant): Promise<void> {
  for await (const progress of await client.learning.installTorch({ variant })) {
    const key = api.learning.torch.queryKey();
    queryClient.setQueryData(key, (before) => before && { ...before, state: 'installing' as const, progress });
  }
}

const isCancelled = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'CANCELLED';

function Installed({ torch: { state, installed, choices } }: { torch: TorchView }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  if (state === 'broken') return t('torch.broken');
  if (state !== 'ready' || !installed) return choices.length === 0 && t('torch.noBuild');
  const { variant, torch, python, bytes } = installed;
  return t('torch.installed', { torch, python, variant: t(`torch.variant.${variant}`), size: format.bytes(bytes) });
}

function Choices({ torch, onInstall }: { torch: TorchView; onInstall: (variant: TorchVariant) => void }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  return torch.choices.map(({ variant, download, disk }) => (
    <div key={variant}>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={15} stroke={1.6} aria-hidden />}
        onClick={() => onInstall(variant)}
      >
        {t(`torch.install.${variant}`)}
      </Button>
      <p className={classes.meta}>{t('torch.sizes', { download: format.bytes(download), disk: format.bytes(disk) })}</p>
    </div>
  ));
}

function Installing({ progress }: { progress: TorchProgress | null }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const cancel = useMutation(api.learning.cancelTorch.mutationOptions({ onSettled: refreshLearning }));
  const { phase = 'python', bytes = 0, of = 0 } = progress ?? {};
  const share = of > 0 ? bytes / of : 0;
  const told = t(`torch.phase.${phase}`, { bytes: format.bytes(bytes), of: format.bytes(of) });
  return (
    <div className={classes.installing}>
      <span className="num">{told}</span>
      <Meter label={t('torch.progress', { share: format.percent(share) })} parts={[{ share }]} />
      <Button
        size="xs"
        variant="default"
        leftSection={<IconX size={15} stroke={1.6} aria-hidden />}
        loading={cancel.isPending}
        onClick={() => cancel.mutate(undefined)}
      >
        {t('torch.cancel')}
      </Button>
      <ErrorNote error={cancel.error} />
    </div>
  );
}

function Remove({ bytes }: { bytes: number | undefined }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const [asks, setAsks] = useState(false);
  const remove = useMutation(
    api.learning.removeTorch.mutationOptions({ onSuccess: () => setAsks(false), onSettled: refreshLearning }),
  );
  return (
    <>
      <Button
        size="xs"
        variant="default"
        c="var(--q-error)"
        leftSection={<IconTrash size={15} stroke={1.6} aria-hidden />}
        onClick={() => setAsks(true)}
      >
        {t('torch.remove')}
      </Button>
      <ConfirmDialog
        opened={asks}
        title={t('torch.removeTitle')}
        action={t('torch.remove')}
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(undefined)}
        onClose={() => setAsks(false)}
      >
        {bytes === undefined ? t('torch.removeBroken') : t('torch.removeWhat', { size: format.bytes(bytes) })}
      </ConfirmDialog>
    </>
  );
}
