import { ActionIcon, Textarea } from '@mantine/core';
import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import type { AskOptions } from '../../../src-preload/contract/conversations.ts';
import { MAX_TURN_CHARS } from '../../../src-preload/contract/limits.ts';
import { useFormat } from '../../i18n/format.ts';
import { likelyCost, mostCost } from './next-cost.ts';
import classes from './playground.module.css';
import type { Answerers } from './useAnswerers.ts';
import type { Choose } from './useChoose.tsx';
import { WhoMenu } from './WhoMenu.tsx';

interface ComposerProps {
  /** Whose draft this is. */
  draftOf: string;
  /** An answer is coming: stop instead of send. */
  busy: boolean;
  options: AskOptions;
  answerers: Answerers;
  onChoose: Choose;
  onSend: (text: string) => void;
  onStop: () => void;
}

/** Where the next question is written. Enter sends, Shift+Enter begins a line, Escape stops the answer. */
export function Composer({ draftOf, busy, options, answerers, onChoose, onSend, onStop }: ComposerProps) {
  const { t } = useTranslation('playground');
  const text = useDrafts(({ drafts }) => drafts[draftOf] ?? '');
  const field = useRef<HTMLTextAreaElement>(null);
  // Without scrolling: a note above the page would vanish under the header.
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const send = () => {
    if (busy || text.trim() === '') return;
    setDraft(draftOf, '');
    onSend(text);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && busy) onStop();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div className={classes.box}>
      <Textarea
        ref={field}
        variant="unstyled"
        aria-label={t('message')}
        placeholder={t('message')}
        value={text}
        onChange={(event) => setDraft(draftOf, event.currentTarget.value)}
        onKeyDown={onKeyDown}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={MAX_TURN_CHARS}
      />
      <div className={classes.row}>
        <WhoMenu options={options} answerers={answerers} onChoose={onChoose} />
        {options.target === 'mesh' && <Cost options={options} lately={answerers.lately} />}
        <span className={classes.space} />
        <span className={classes.keys}>{t(busy ? 'keys.stop' : 'keys.send')}</span>
        {busy ? (
          <ActionIcon size={34} onClick={onStop} aria-label={t('stop')} title={t('stop')}>
            <IconPlayerStopFilled size={15} aria-hidden />
          </ActionIcon>
        ) : (
          <ActionIcon size={34} onClick={send} disabled={text.trim() === ''} aria-label={t('send')} title={t('send')}>
            <IconArrowUp size={18} aria-hidden />
          </ActionIcon>
        )}
      </div>
    </div>
  );
}

/** What the next answer may cost, in a few words. */
function Cost({ options, lately }: { options: AskOptions; lately: Answerers['lately'] }) {
  const { t } = useTranslation('playground');
  const format = useFormat();
  const likely = likelyCost(options, lately('mesh', options.model) ?? lately('mesh'));
  const count = likely ?? mostCost(options);
  return (
    <span>{t(likely === undefined ? 'cost.upTo' : 'cost.about', { count, formatted: format.number(count) })}</span>
  );
}

/** What was typed but not sent, by conversation; `new` before there is one. It outlives a change of page. */
const useDrafts = create<{ drafts: Record<string, string> }>(() => ({ drafts: {} }));

function setDraft(id: string, text: string): void {
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [id]: text } }));
}
