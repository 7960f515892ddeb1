import { Button, Skeleton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { StepFrame } from '../StepFrame.tsx';
import type { StepProps } from '../Welcome.tsx';
import { useWelcome } from '../welcome-state.ts';
import { type Choice, choicesOf, downloadOf, rests, suggestion } from './choices.ts';
import { DownloadCard } from './DownloadCard.tsx';
import { ModelChoice } from './ModelChoice.tsx';
import { OwnFile } from './OwnFile.tsx';

/** Offers models that run well here, and fetches the one that is picked. */
export function ModelStep({ downloads, onNext, onBack }: StepProps) {
  const { t } = useTranslation(['welcome', 'common']);
  const recommended = useAnswer(api.models.recommend.queryOptions({ input: { use: 'chat' } }));
  const local = useAnswer(api.models.list.queryOptions());
  const disk = useAnswer(api.models.diskUse.queryOptions());
  const picked = useWelcome((welcome) => welcome.picked);
  const pull = usePull(downloads, onNext);

  const known = { recommended: recommended.data ?? [], local: local.data ?? [], free: disk.data?.free };
  const choices = choicesOf(known);
  const choice = choices.find(({ name }) => name === picked) ?? suggestion(choices, known.local);
  const download = pull.isPending ? undefined : downloadOf(downloads, picked);
  const loading = recommended.isPending || local.isPending;
  const retry = () => void Promise.all([recommended.refetch(), local.refetch()]);
  return (
    <StepFrame
      title={t('model.title')}
      intro={t('model.intro')}
      onBack={onBack}
      actions={
        download ? (
          <Button onClick={onNext}>{t(rests(download) ? 'model.without' : 'next')}</Button>
        ) : (
          <>
            {choice && !choice.installed && known.local.every(({ tiny }) => tiny) && (
              <Button variant="default" onClick={() => withBuiltIn(onNext)}>
                {t('model.builtIn')}
              </Button>
            )}
            <GoOn choice={choice} isPending={pull.isPending} onFetch={pull.fetch} onNext={onNext} />
          </>
        )
      }
    >
      {loading && <Skeleton h={220} />}
      <ErrorNote error={recommended.error ?? local.error} onRetry={retry} />
      <ErrorNote error={pull.error} />
      {download && (
        <DownloadCard download={download} title={choices.find(({ name }) => name === download.name)?.title} />
      )}
      {!download && recommended.data?.length === 0 && (
        <Note state="wait" title={t('model.noneTitle')}>
          {t('model.none')}
        </Note>
      )}
      {!download && choices.length > 0 && (
        <ModelChoice choices={choices} choice={choice} free={known.free} onPick={pick} />
      )}
      {!download && <OwnFile onImported={pick} />}
    </StepFrame>
  );
}

/** Fetches a model and goes on as soon as its download is there to be looked at. */
function usePull(downloads: StepProps['downloads'], onStarted: () => void) {
  const { data, error, isPending, mutate } = useMutation(api.models.pull.mutationOptions());
  const started = data && (data.state === 'done' || downloads.some(({ name }) => name === data.name));
  useEffect(() => {
    if (started) onStarted();
  }, [started]);
  return {
    error,
    isPending: isPending || data !== undefined,
    fetch({ name }: Choice) {
      pick(name);
      mutate({ name });
    },
  };
}

interface GoOnProps {
  choice: Choice | undefined;
  isPending: boolean;
  onFetch: (choice: Choice) => void;
  onNext: () => void;
}

/** What the picked model asks for: a download, or nothing more. */
function GoOn({ choice, isPending, onFetch, onNext }: GoOnProps) {
  const { t } = useTranslation('welcome');
  const format = useFormat();
  if (!choice || choice.installed) {
    return (
      <Button onClick={() => goOnWith(choice, onNext)}>
        {t(!choice || choice.tiny ? 'model.builtIn' : 'model.useIt')}
      </Button>
    );
  }
  return (
    <Button loading={isPending} disabled={choice.tooLarge} onClick={() => onFetch(choice)}>
      {choice.bytes === null ? t('model.download') : t('model.downloadSize', { size: format.bytes(choice.bytes) })}
    </Button>
  );
}

function pick(name: string | undefined): void {
  useWelcome.setState({ picked: name });
}

function goOnWith(choice: Choice | undefined, onNext: () => void): void {
  pick(choice?.name);
  onNext();
}

/** Nothing else is here, so the node loads the built-in one by itself. */
function withBuiltIn(onNext: () => void): void {
  pick(undefined);
  onNext();
}
