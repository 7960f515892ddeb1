import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { APPEALABLE } from '../../../../src-preload/contract/focus-limits.ts';
import type { RatingStep, Verdict } from '../../../../src-preload/contract/focus-score.ts';
import { isRefused } from '../../../../src-preload/contract/is-refused.ts';
import { api, client } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { worded } from '../../../i18n/worded.ts';
import { useSetSettings } from '../../../state/settings.ts';
import { wantSetting } from '../../../state/wanted.ts';
import { AppealDialog } from '../AppealDialog.tsx';
import { useRules } from './use-rules.ts';

const SCORABLE = ['draft', 'waiting', 'ready', 'rejected'];

const shown = () => queryClient.invalidateQueries({ queryKey: api.focus.key() });

/** What can be done about a score: have it made, call that off, appeal. Nothing is sent anywhere before its owner has said yes to where. */
export function ScoreActions({ verdict }: { verdict: Verdict }) {
  const { id, state } = verdict;
  const { t } = useTranslation('focus');
  const [step, setStep] = useState<RatingStep>('waiting');
  const [asking, setAsking] = useState(false);
  const [appealing, setAppealing] = useState(false);
  const [appeal, setAppeal] = useState<string>();
  const { data: scorer } = useAnswer(api.focus.scorer.queryOptions());
  const { data: rules } = useRules(id);
  const rate = useMutation({
    mutationFn: async (note: string | undefined) => {
      for await (const event of await client.focus.rate({ id, ...(note !== undefined && { appeal: note }) })) {
        if (event.type === 'step') {
          setStep(event.step);
          if (event.step === 'rules') void shown();
        }
      }
    },
    onSettled: shown,
  });
  const stop = useMutation(api.focus.stopRating.mutationOptions({ onSettled: shown }));
  if (state === 'scoring') {
    return (
      <>
        <Text size="sm" role="status" mb="xs">
          {t(`score.step.${step}`)}
        </Text>
        <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate({ id })}>
          {t('score.stop')}
        </Button>
      </>
    );
  }
  const asks = scorer?.asks ?? null;
  const isScorable = SCORABLE.includes(state);
  // No model sees what the rules refuse: there is nothing to recommend then.
  const refused = rules !== undefined && isRefused(rules);
  const needsModel = isScorable && !refused && scorer?.model === null;
  const lack = scorer && asks === null && !refused ? worded(scorer, 'lack') : undefined;
  const begin = (note?: string) => {
    setAppeal(note);
    if (asks === null) rate.mutate(note);
    else setAsking(true);
  };
  return (
    <>
      <Group gap="xs">
        {needsModel && <SetUpModel />}
        {isScorable && (
          <Button
            variant={needsModel || refused ? 'default' : 'filled'}
            loading={rate.isPending}
            onClick={() => begin()}
          >
            {t(state === 'draft' ? 'score.make' : 'score.again')}
          </Button>
        )}
        {APPEALABLE.includes(state) && (
          <Button variant="default" onClick={() => setAppealing(true)}>
            {t('score.appeal.action')}
          </Button>
        )}
      </Group>
      {lack && (
        <Text size="sm" c="var(--q-ink-2)" mt="xs">
          {lack !== worded(verdict, 'text') && `${lack} `}
          {t('score.rulesOnly')}
        </Text>
      )}
      <ErrorNote error={rate.error ?? stop.error} />
      {asks !== null && (
        <Consent to={asks} opened={asking} onClose={() => setAsking(false)} onAgreed={() => rate.mutate(appeal)} />
      )}
      {appealing && <AppealDialog what={t('score.appeal.what')} onAppeal={begin} onClose={() => setAppealing(false)} />}
    </>
  );
}

/** To what a model takes, among the settings: without one, only the rules say something. */
function SetUpModel() {
  const { t } = useTranslation('focus');
  return (
    <Button component="a" href="#/settings/all" onClick={() => wantSetting('focus.scorer.')}>
      {t('score.setUp')}
    </Button>
  );
}

interface ConsentProps {
  /** The address to which pictures would go. */
  to: string;
  opened: boolean;
  onClose: () => void;
  onAgreed: () => void;
}

/** Asks before the first picture goes to an address. */
function Consent({ to, opened, onClose, onAgreed }: ConsentProps) {
  const { t } = useTranslation('focus');
  const set = useSetSettings();
  const agree = useMutation({
    mutationFn: () => set.mutateAsync({ changes: { 'focus.scorer.picturesTo': to } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: api.focus.scorer.key() });
      onClose();
      onAgreed();
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={t('score.consent.title', { to })}
      action={t('score.consent.action')}
      colour="teal"
      pending={agree.isPending}
      error={agree.error}
      onConfirm={() => agree.mutate()}
      onClose={onClose}
    >
      {t('score.consent.what')}
    </ConfirmDialog>
  );
}
