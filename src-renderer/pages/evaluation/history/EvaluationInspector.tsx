import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { EvaluationView } from '../../../../src-preload/contract/evaluation.ts';
import { api } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Block, Inspector } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { askAgain } from '../new/ask-again.ts';
import { PlanFacts } from '../result/AskedFor.tsx';
import { refreshEvaluations, showEvaluation, useChosen } from '../use-evaluations.ts';
import { useWords } from '../use-words.ts';

/** What was asked in one, and what can be done with it. */
export function EvaluationInspector({ evaluation }: { evaluation: EvaluationView }) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const words = useWords();
  const [removing, setRemoving] = useState(false);
  const { id, error, state, done, texts } = evaluation;
  return (
    <Inspector
      title={words.model(evaluation)}
      description={t('state.doneOf', { done: format.number(done), texts: format.number(texts) })}
    >
      {error && (
        <Block>
          <ErrorNote error={new QuarryError(error)} />
        </Block>
      )}
      <Block>
        <PlanFacts evaluation={evaluation} />
      </Block>
      <Block>
        <Stack gap={8}>
          <Button onClick={() => showEvaluation(id)}>{t('history.open')}</Button>
          <Button variant="default" onClick={() => askAgain(evaluation)}>
            {t('asked.again')}
          </Button>
          <Button variant="default" c="var(--q-error)" disabled={state === 'running'} onClick={() => setRemoving(true)}>
            {t('history.remove')}
          </Button>
        </Stack>
      </Block>
      {removing && <RemoveDialog evaluation={evaluation} onClose={() => setRemoving(false)} />}
    </Inspector>
  );
}

function RemoveDialog({ evaluation, onClose }: { evaluation: EvaluationView; onClose: () => void }) {
  const { t } = useTranslation('evaluation');
  const words = useWords();
  const { id } = evaluation;
  const remove = useMutation(
    api.evaluation.remove.mutationOptions({
      onSuccess: () => {
        useChosen.setState(({ compared }) => ({ compared: compared.filter((one) => one !== id) }));
        onClose();
        return refreshEvaluations();
      },
    }),
  );
  return (
    <ConfirmDialog
      opened
      title={t('history.remove')}
      action={t('history.removeIt')}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id })}
      onClose={onClose}
    >
      {t('history.removeMeans', { name: words.named(evaluation) })}
    </ConfirmDialog>
  );
}
