import { Button, Group, Spoiler, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Recording } from '../../../../src-preload/contract/focus.ts';
import { MAX_TASK_DESCRIPTION_CHARS, MAX_TASK_TITLE_CHARS } from '../../../../src-preload/contract/focus-limits.ts';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { hasFixedWords } from '../record/draft.ts';

/** Of a description so much is shown at first. */
const LONG_PX = 120;

type Words = Pick<Recording, 'title' | 'description'>;

/** What a recording is of, in words that can be changed and changed back, unless they are those of a list. */
export function RecordingWords({ recording }: { recording: Recording }) {
  const { t } = useTranslation('focus');
  const { id, title, description, task, state } = recording;
  const [typed, setTyped] = useState<Words>();
  /** As they were before the last change. */
  const [before, setBefore] = useState<Words>();
  const queries = useQueryClient();
  const save = useMutation(
    api.focus.update.mutationOptions({
      onSuccess: async () => {
        setTyped(undefined);
        await queries.invalidateQueries({ queryKey: api.focus.list.key() });
        await queries.invalidateQueries({ queryKey: api.focus.tasks.key() });
      },
    }),
  );
  const keep = (words: Words, former: Words | undefined) =>
    save.mutate({ id, ...words }, { onSuccess: () => setBefore(former) });
  if (typed) {
    return (
      <WordsForm
        words={typed}
        isPending={save.isPending}
        error={save.error}
        onChange={setTyped}
        onSave={() =>
          keep({ title: typed.title.trim(), description: typed.description.trim() }, { title, description })
        }
        onCancel={() => {
          save.reset();
          setTyped(undefined);
        }}
      />
    );
  }
  const isOwn = !hasFixedWords(task) && state !== 'recording';
  return (
    <Stack gap="xs" align="flex-start">
      {description && (
        <Spoiler maxHeight={LONG_PX} showLabel={t('words.more')} hideLabel={t('words.less')}>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {description}
          </Text>
        </Spoiler>
      )}
      {hasFixedWords(task) && (
        <Text size="sm" c="var(--q-ink-2)">
          {t('tasks.fixedWords')}
        </Text>
      )}
      {isOwn && (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPencil size={15} stroke={1.6} aria-hidden />}
            onClick={() => setTyped({ title, description })}
          >
            {t('words.edit')}
          </Button>
          {before && (
            <Button size="xs" variant="default" loading={save.isPending} onClick={() => keep(before, undefined)}>
              {t('words.undo')}
            </Button>
          )}
          <Text size="sm" c="var(--q-ink-2)" role="status">
            {before && t('words.saved')}
          </Text>
        </Group>
      )}
      <ErrorNote error={save.error} />
    </Stack>
  );
}

interface WordsFormProps {
  words: Words;
  isPending: boolean;
  error: unknown;
  onChange: (words: Words) => void;
  onSave: () => void;
  onCancel: () => void;
}

function WordsForm({ words, isPending, error, onChange, onSave, onCancel }: WordsFormProps) {
  const { t } = useTranslation('focus');
  const { t: common } = useTranslation();
  const [wasAsked, setAsked] = useState(false);
  const titleField = useRef<HTMLInputElement>(null);
  useEffect(() => titleField.current?.focus(), []); // who pressed «Edit» types at once
  const hasTitle = words.title.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(!hasTitle);
    if (hasTitle) onSave();
    else titleField.current?.focus();
  };
  const leave = (event: KeyboardEvent) => {
    event.stopPropagation(); // the sheet that it may stand in stays
    onCancel();
  };
  return (
    <form noValidate onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && leave(event)}>
      <Stack gap="sm">
        <TextInput
          label={t('words.title')}
          required
          ref={titleField}
          error={wasAsked && !hasTitle && t('words.noTitle')}
          maxLength={MAX_TASK_TITLE_CHARS}
          value={words.title}
          onChange={(event) => onChange({ ...words, title: event.currentTarget.value })}
        />
        <Textarea
          label={t('new.description')}
          autosize
          minRows={2}
          maxRows={10}
          maxLength={MAX_TASK_DESCRIPTION_CHARS}
          value={words.description}
          onChange={(event) => onChange({ ...words, description: event.currentTarget.value })}
        />
        <ErrorNote error={error} />
        <Group gap="xs">
          <Button size="xs" type="submit" loading={isPending}>
            {t('words.save')}
          </Button>
          <Button size="xs" variant="default" onClick={onCancel}>
            {common('action.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
