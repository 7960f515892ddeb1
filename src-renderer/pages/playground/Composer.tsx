import { ActionIcon, FileButton, Textarea } from '@mantine/core';
import { IconArrowUp, IconPaperclip, IconPlayerStopFilled } from '@tabler/icons-react';
import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import type { AskOptions, AttachedFile } from '../../../src-preload/contract/conversations.ts';
import { MAX_TURN_CHARS } from '../../../src-preload/contract/limits.ts';
import { useFormat } from '../../i18n/format.ts';
import { AttachedFiles } from './AttachedFiles.tsx';
import { attach, type Unfit } from './attach.ts';
import { likelyCost, mostCost } from './next-cost.ts';
import classes from './playground.module.css';
import type { Answerers } from './useAnswerers.ts';
import type { Choose } from './useChoose.tsx';
import { WhoMenu } from './WhoMenu.tsx';

/** What is sent. */
export type Asked = Draft;

interface ComposerProps {
  /** Whose draft this is. */
  draftOf: string;
  /** An answer is coming: stop instead of send. */
  busy: boolean;
  options: AskOptions;
  answerers: Answerers;
  onChoose: Choose;
  onSend: (question: Asked) => void;
  onStop: () => void;
}

/** Where the next question is written. Enter sends, Shift+Enter begins a line, Escape stops the answer. */
export function Composer({ draftOf, busy, options, answerers, onChoose, onSend, onStop }: ComposerProps) {
  const { t } = useTranslation('playground');
  const { text, files } = useDrafts(({ drafts }) => drafts[draftOf] ?? NOTHING);
  const [unfit, setUnfit] = useState<{ name: string; why: Unfit }>();
  const draft = (next: Partial<Draft>) => setDraft(draftOf, { text, files, ...next });
  const field = useRef<HTMLTextAreaElement>(null);
  // Without scrolling: a note above the page would vanish under the header.
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const send = () => {
    if (busy || text.trim() === '') return;
    setDraft(draftOf, NOTHING);
    setUnfit(undefined);
    onSend({ text, files });
    field.current?.focus();
  };
  const add = async (added: readonly File[]) => {
    const names = added.map(({ name }) => name);
    const read = await attach(added, names, files);
    draft({ files: read.files });
    setUnfit(read.unfit);
    field.current?.focus();
  };
  const onDrop = (event: DragEvent) => {
    const dropped = [...event.dataTransfer.files];
    // A model is for the whole window, which takes it into the library.
    if (dropped.length === 0 || dropped.some(({ name }) => name.toLowerCase().endsWith('.gguf'))) return;
    event.preventDefault();
    void add(dropped);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && busy) onStop();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is dropped here can be chosen with the button, too
    <div className={classes.box} onDrop={onDrop} onDragOver={(event) => event.preventDefault()}>
      <AttachedFiles
        files={files.map(({ name, text: { length } }) => ({ name, chars: length }))}
        onRemove={(place) => draft({ files: files.filter((_, at) => at !== place) })}
      />
      {unfit && (
        <p className={classes.unfit} role="alert">
          {t(`file.${unfit.why}`, { name: unfit.name })}
        </p>
      )}
      <Textarea
        ref={field}
        variant="unstyled"
        aria-label={t('message')}
        placeholder={t('message')}
        value={text}
        onChange={(event) => draft({ text: event.currentTarget.value })}
        onKeyDown={onKeyDown}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={MAX_TURN_CHARS}
      />
      <div className={classes.row}>
        <WhoMenu options={options} answerers={answerers} onChoose={onChoose} />
        {options.target === 'mesh' && <Cost options={options} lately={answerers.lately} />}
        <FileButton multiple onChange={(chosen) => void add(chosen)}>
          {(props) => (
            <ActionIcon variant="subtle" color="gray" {...props} aria-label={t('file.attach')} title={t('file.attach')}>
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
const useDrafts = create<{ drafts: Record<string, Draft> }>(() => ({ drafts: {} }));

interface Draft {
  text: string;
  files: AttachedFile[];
}

const NOTHING: Draft = { text: '', files: [] };

function setDraft(id: string, draft: Draft): void {
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [id]: draft } }));
}
