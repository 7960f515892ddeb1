import { Alert, Button, Loader, Stack } from '@mantine/core';
import { IconMoodConfuzed } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { type Choice, choicesOf, downloadOf, rests, suggestion } from './choices.ts';
import { DownloadCard } from './DownloadCard.tsx';
import { ModelChoice } from './ModelChoice.tsx';
import { OwnFile } from './OwnFile.tsx';
import { StepFrame } from './StepFrame.tsx';
import type { StepProps } from './Welcome.tsx';
import { useWelcome } from './welcome-state.ts';

/** Offers models that run well here, and fetches the one that is picked. */
export function ModelStep({ downloads, onNext, onBack }: StepProps) {
  const { t } = useTranslation(['welcome', 'common']);
  const recommended = useAnswer(api.models.recommend.queryOptions({ input: { use: 'chat' } }));
  const local = useAnswer(api.models.list.queryOptions());
  const disk = useAnswer(api.models.diskUse.queryOptions());
  const pull = useMutation(api.models.pull.mutationOptions());
  const picked = useWelcome((welcome) => welcome.picked);

  const known = { recommended: recommended.data ?? [], local: local.data ?? [], free: disk.data?.free };
  const choices = choicesOf(known);
  const choice = choices.find(({ name }) => name === picked) ?? suggestion(choices, known.local);
  const download = downloadOf(downloads, picked);
  const loading = recommended.isPending || local.isPending;
  const retry = () => void Promise.all([recommended.refetch(), local.refetch()]);
  const fetchModel = ({ name }: Choice) => {
    pick(name);
    pull.mutate({ name });
  };
  return (
    <StepFrame
      title={t('model.title')}
      intro={t('model.intro')}
      onBack={onBack}
      actions={
        download ? (
          <Button onClick={onNext}>{t(rests(download) ? 'model.without' : 'model.meanwhile')}</Button>
        ) : (
          <>
            {choice && !choice.installed && known.local.every(({ tiny }) => tiny) && (
              <Button variant="default" onClick={() => withBuiltIn(onNext)}>
                {t('model.builtIn')}
              </Button>
            )}
            <GoOn choice={choice} isPending={pull.isPending} onFetch={fetchModel} onNext={onNext} />
          </>
        )
      }
    >
      <Stack gap="lg">
        {loading && <Loader role="status" aria-label={t('common:loading')} />}
        <ErrorNote error={recommended.error ?? local.error} onRetry={retry} />
        <ErrorNote error={pull.error} />
        {download && (
          <DownloadCard download={download} title={choices.find(({ name }) => name === download.name)?.title} />
        )}
        {!download && recommended.data?.length === 0 && <NothingFits />}
        {!download && choices.length > 0 && (
          <ModelChoice choices={choices} choice={choice} free={known.free} onPick={pick} />
        )}
        {!download && <OwnFile onImported={pick} />}
      </Stack>
    </StepFrame>
  );
}

function NothingFits() {
  const { t } = useTranslation('welcome');
  return (
    <Alert color="yellow" icon={<IconMoodConfuzed aria-hidden />} title={t('model.noneTitle')}>
      {t('model.none')}
    </Alert>
  );
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
  if (!choice || choice.installed) {
    return (
      <Button onClick={() => goOnWith(choice, onNext)}>
        {t(!choice || choice.tiny ? 'model.builtIn' : 'model.useIt')}
      </Button>
    );
  }
  return (
    <Button loading={isPending} disabled={choice.tooLarge} onClick={() => onFetch(choice)}>
      {t('model.download')}
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
