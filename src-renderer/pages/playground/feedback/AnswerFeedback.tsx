import { Anchor, Button } from '@mantine/core';
import { IconInfoCircle, IconMessage2Exclamation, IconPencil, IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Feedback } from '../../../../src-preload/contract/learning.ts';
import { MAX_FEEDBACK_CHARS, MAX_TURN_CHARS } from '../../../../src-preload/contract/limits.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { useFocusBack } from '../../../components/use-focus-back.ts';
import classes from '../playground.module.css';
import { Rewrite } from '../turns/Rewrite.tsx';
import { Act } from '../turns/TurnActs.tsx';
import type { AnswerFeedbackHandle } from './use-answer-feedback.ts';

/** What can be said of an answer. */
export function FeedbackActs({ feedback: { thumb, form, press, open } }: { feedback: AnswerFeedbackHandle }) {
  const { t } = useTranslation('playground');
  const toggle = (wanted: 'say' | 'edit') => open(form === wanted ? undefined : wanted);
  return (
    <>
      <Act icon={IconThumbUp} label={t('feedback.up')} pressed={thumb === 'up'} onClick={() => press('up')} />
      <Act icon={IconThumbDown} label={t('feedback.down')} pressed={thumb === 'down'} onClick={() => press('down')} />
      <Act
        icon={IconMessage2Exclamation}
        label={t('feedback.say')}
        expanded={form === 'say'}
        onClick={() => toggle('say')}
      />
      <Act icon={IconPencil} label={t('feedback.edit')} expanded={form === 'edit'} onClick={() => toggle('edit')} />
    </>
  );
}

/** Below an answer: the form in which something is said of it, what was said, and what became of that. */
export function AnswerFeedback({ feedback, text }: { feedback: AnswerFeedbackHandle; text: string }) {
  const { t } = useTranslation('playground');
  const { given, form, notKept, error, pending, withdraw } = feedback;
  return (
    <>
      {form && <FeedbackForm key={form} kind={form} text={text} feedback={feedback} />}
      {(notKept !== undefined || error !== null) && (
        <div className={classes.told}>
          {notKept && (
            <Note icon={IconInfoCircle} role="status">
              {t(`feedback.notKept.${notKept}`)}{' '}
              {notKept === 'off' && (
                <Anchor href="#/learning" inherit underline="always">
                  {t('feedback.toLearning')}
                </Anchor>
              )}
            </Note>
          )}
          <ErrorNote error={error} />
        </div>
      )}
      {given.length > 0 && (
        <ul className={classes.given} aria-label={t('feedback.given')}>
          {given.map((one) => (
            <Given key={one.id} one={one} pending={pending} onWithdraw={() => withdraw(one.id)} />
          ))}
        </ul>
      )}
    </>
  );
}

interface FeedbackFormProps {
  kind: 'say' | 'edit';
  /** The answer. */
  text: string;
  feedback: AnswerFeedbackHandle;
}

function FeedbackForm({ kind, text, feedback: { pending, open, send } }: FeedbackFormProps) {
  const { t } = useTranslation('playground');
  const [draft, setDraft] = useState(kind === 'edit' ? text : '');
  useFocusBack();
  return (
    <Rewrite
      label={t(`feedback.${kind}`)}
      placeholder={t(`feedback.placeholder.${kind}`)}
      explain={t(`feedback.explain.${kind}`)}
      isLong={kind === 'edit'}
      maxLength={kind === 'edit' ? MAX_TURN_CHARS : MAX_FEEDBACK_CHARS}
      unchanged={draft.trim() === (kind === 'edit' ? text.trim() : '')}
      draft={draft}
      pending={pending}
      onChange={(changed) => (changed === undefined ? open(undefined) : setDraft(changed))}
      onSend={() => draft.trim() !== '' && send(kind, draft)}
    />
  );
}

interface GivenProps {
  one: Feedback;
  pending: boolean;
  onWithdraw: () => void;
}

/** Something that was said, and what became of it. */
function Given({ one: { kind, text, state }, pending, onWithdraw }: GivenProps) {
  const { t } = useTranslation('playground');
  const said = t(`feedback.said.${kind}`, { text: text ?? '' });
  const isOpen = state === 'waiting' || state === 'noted';
  const canGoBack = isOpen || state === 'rejected' || state === 'aside';
  return (
    <li className={classes.givenOne}>
      <span className={classes.givenText} title={text ?? undefined}>
        {said}
      </span>
      <span role="status">{t(`feedback.state.${state}`)}</span>
      {canGoBack && (
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          disabled={pending}
          onClick={onWithdraw}
          aria-label={t('feedback.withdrawOne', { what: said })}
        >
          {t('feedback.withdraw')}
        </Button>
      )}
      {!isOpen && (
        <Anchor href="#/learning" inherit underline="always">
          {t('feedback.toLearning')}
        </Anchor>
      )}
    </li>
  );
}
