import { ActionIcon, FileButton } from '@mantine/core';
import { IconArrowUp, IconPaperclip, IconPlayerStopFilled } from '@tabler/icons-react';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { AskOptions, AttachedFile } from '../../../../src-preload/contract/conversations.ts';
import { useUnsaved } from '../../../api/unsaved.ts';
import { useFormat } from '../../../i18n/format.ts';
import { ComposerFiles, useDivided } from '../files/ComposerFiles.tsx';
import type { Attaching } from '../files/use-attaching.ts';
import classes from '../playground.module.css';
import { likelyCost, mostCost } from '../who/next-cost.ts';
import type { Answerers } from '../who/useAnswerers.ts';
import type { Choose } from '../who/useChoose.tsx';
import { WhoMenu } from '../who/WhoMenu.tsx';
import { isSmall, setDraft, useDraft } from './drafts.ts';
import { type FieldHandlers, QuestionField } from './QuestionField.tsx';

/** What is sent: files that go as they are, and those that are searched. */
export interface Asked {
  text: string;
  files: AttachedFile[];
  long: AttachedFile[];
}

interface ComposerProps {
  /** Whose draft this is. */
  draftOf: string;
  /** An answer is coming: stop instead of send. */
  busy: boolean;
  options: AskOptions;
  answerers: Answerers;
  attaching: Attaching;
  onChoose: Choose;
  onSend: (question: Asked) => void;
  onStop: () => void;
}

/** Where the next question is written. Enter sends, Shift+Enter begins a line, Escape stops the answer. */
export function Composer({ draftOf, busy, options, answerers, attaching, onChoose, onSend, onStop }: ComposerProps) {
  const { t } = useTranslation('playground');
  const { text, files } = useDraft(draftOf);
  const { whole, long } = useDivided(files, options.target);
  useUnsaved(attaching.reading !== undefined || !isSmall({ text, files }));
  const field = useRef<HTMLTextAreaElement>(null);
  // Without scrolling: a note above the page would vanish under the header.
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const send = () => {
    if (busy || attaching.reading || text.trim() === '') return;
    setDraft(draftOf);
    attaching.forgetUnfit();
    onSend({ text, files: whole, long });
    field.current?.focus();
  };
  const add = (added: readonly File[]) => {
    attaching.add(added);
    field.current?.focus();
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    // A piece of a table comes as text and as a picture of it.
    if (pasted.length === 0 || event.clipboardData.types.includes('text/plain')) return;
    event.preventDefault();
    add(pasted);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && busy) onStop();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const handlers = useRef<FieldHandlers>(undefined);
  handlers.current = { onText: (typed) => setDraft(draftOf, { text: typed, files }), onKeyDown, onPaste };
  return (
    <div className={classes.box}>
      <ComposerFiles
        files={files}
        target={options.target}
        attaching={attaching}
        onChange={(kept) => setDraft(draftOf, { text, files: kept })}
      />
      <QuestionField field={field} text={text} handlers={handlers} />
      <div className={classes.row}>
        <WhoMenu options={options} answerers={answerers} onChoose={onChoose} />
        {options.target === 'mesh' && <Cost options={options} lately={answerers.lately} />}
        <FileButton multiple onChange={add}>
          {(props) => (
            <ActionIcon variant="subtle" color="gray" {...props} aria-label={t('file.attach')} title={t('file.limits')}>
              <IconPaperclip size={16} stroke={1.6} aria-hidden />
            </ActionIcon>
          )}
        </FileButton>
        <span className={classes.space} />
        <span className={classes.keys}>{t(busy ? 'keys.stop' : 'keys.send')}</span>
        {busy ? (
          <ActionIcon size={34} onClick={onStop} aria-label={t('stop')} title={t('stop')}>
            <IconPlayerStopFilled size={15} aria-hidden />
          </ActionIcon>
        ) : (
          <ActionIcon
            size={34}
            onClick={send}
            disabled={Boolean(attaching.reading) || text.trim() === ''}
            aria-label={t('send')}
            title={t('send')}
          >
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
