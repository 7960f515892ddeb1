import { Button, Progress } from '@mantine/core';
import { IconCheck, IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClipModelStep, ClipModelView } from '../../../../src-preload/contract/data-models.ts';
import { api } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../data.module.css';
import { fetchClipModel, refreshClipModels, stopFetching, useClipModelWork } from './clip-model-work.ts';

/** A model: what it is for, how large and under which licence; whether it is here, and the way to have it or be rid of it. */
export function ClipModelRow({
  model: { name, title, kind, licence, roughBytes, isHere, isChosen },
}: {
  model: ClipModelView;
}) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const work = useClipModelWork((all) => (all.work?.name === name ? all.work : undefined));
  const size = t('model.size', { size: format.bytes(roughBytes) });
  return (
    <li className={classes.step}>
      <span className={classes.name}>
        {title}
        <span className={classes.sub}>{[t(`model.for.${kind}`), size, licence].join(' · ')}</span>
        {!isChosen && <span className={classes.sub}>{t('model.notChosen')}</span>}
      </span>
      {isHere ? <Here name={name} title={title} /> : <Fetch name={name} title={title} />}
      {work && (
        <div>
          {work.isRunning && <Fetching title={title} step={work.step} />}
          <ErrorNote error={work.error} onRetry={() => void fetchClipModel(name)} />
        </div>
      )}
    </li>
  );
}

function Fetch({ name, title }: Pick<ClipModelView, 'name' | 'title'>) {
  const { t } = useTranslation('data');
  const work = useClipModelWork((all) => all.work);
  if (work?.isRunning && work.name === name) {
    return (
      <Button size="xs" variant="default" aria-label={t('model.stopOf', { title })} onClick={stopFetching}>
        {t('now.stop')}
      </Button>
    );
  }
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={15} stroke={1.6} aria-hidden />}
      aria-label={t('model.fetchOf', { title })}
      disabled={work?.isRunning === true}
      onClick={() => void fetchClipModel(name)}
    >
      {t('model.fetch')}
    </Button>
  );
}

function Fetching({ title, step }: { title: string; step: ClipModelStep | undefined }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const { received = 0, roughBytes = 0 } = step ?? {};
  const { bytesPerSecond = 0, problem } = step?.download ?? {};
  const of = Math.max(received, roughBytes);
  const facts = step && [
    t('model.doneOf', { done: format.bytes(received), of: format.bytes(of) }),
    step.files > 1 && t('model.file', { file: format.number(step.file), files: format.number(step.files) }),
    bytesPerSecond > 0 && format.rate(bytesPerSecond),
    problem && worded(problem, 'message'),
  ];
  return (
    <>
      <span className={classes.sub} role="status">
        {facts ? facts.filter(Boolean).join(' · ') : t('model.begins')}
      </span>
      <Progress
        value={step ? (received / of) * 100 : 100}
        animated={!step}
        size="sm"
        aria-label={t('model.progress', { title })}
      />
    </>
  );
}

function Here({ name, title }: Pick<ClipModelView, 'name' | 'title'>) {
  const { t } = useTranslation('data');
  const [isRemoving, setRemoving] = useState(false);
  const remove = useMutation(
    api.data.removeModel.mutationOptions({
      onSuccess: async () => {
        await refreshClipModels();
        setRemoving(false);
      },
    }),
  );
  return (
    <span className={classes.modelHere}>
      <StateChip state="good" icon={IconCheck}>
        {t('model.here')}
      </StateChip>
      <Button size="xs" variant="default" aria-label={t('model.removeOf', { title })} onClick={() => setRemoving(true)}>
        {t('remove.open')}
      </Button>
      <ConfirmDialog
        opened={isRemoving}
        title={t('model.removeOf', { title })}
        action={t('remove.action')}
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ name })}
        onClose={() => setRemoving(false)}
      >
        {t('model.removeMeans')}
      </ConfirmDialog>
    </span>
  );
}
