import { ActionIcon, Group, Text, Textarea } from '@mantine/core';
import { IconPlayerStopFilled, IconSend } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import { MAX_TURN_CHARS } from '../../../src-preload/contract/limits.ts';

interface ComposerProps {
  /** Whose draft this is. */
  draftOf: string;
  /** An answer is coming: stop instead of send. */
  busy: boolean;
  label: string;
  onSend: (text: string) => void;
  onStop: () => void;
}

/** Where the next question is written. Enter sends, Shift+Enter begins a line, Escape stops the answer. */
export function Composer({ draftOf, busy, label, onSend, onStop }: ComposerProps) {
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
    <div>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Textarea
          ref={field}
          flex={1}
          aria-label={label}
          placeholder={label}
          value={text}
          onChange={(event) => setDraft(draftOf, event.currentTarget.value)}
          onKeyDown={onKeyDown}
          autosize
          minRows={1}
          maxRows={8}
          maxLength={MAX_TURN_CHARS}
        />
        {busy ? (
          <ActionIcon size={36} color="red" onClick={onStop} aria-label={t('stop')}>
            <IconPlayerStopFilled size={18} aria-hidden />
          </ActionIcon>
        ) : (
          <ActionIcon size={36} onClick={send} disabled={text.trim() === ''} aria-label={t('send')}>
            <IconSend size={18} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {t('keys')}
      </Text>
    </div>
  );
}

/** What was typed but not sent, by conversation; `new` before there is one. It outlives a change of page. */
const useDrafts = create<{ drafts: Record<string, string> }>(() => ({ drafts: {} }));

function setDraft(id: string, text: string): void {
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [id]: text } }));
}
