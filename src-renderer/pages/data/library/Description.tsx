import { Button, Group, Spoiler, Stack, Text, Textarea } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Clip } from '../../../../src-preload/contract/data.ts';
import { MAX_CLIP_DESCRIPTION_CHARS } from '../../../../src-preload/contract/data-limits.ts';
import { api } from '../../../api/client.ts';
import { useUnsaved } from '../../../api/unsaved.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import classes from '../data.module.css';
import { showClip } from './use-clips.ts';

/** Of a description so much is shown at first. */
const LONG_PX = 120;

/** What a clip shows, in words that can be changed and changed back; it is judged anew by them. */
export function Description({ clip: { clip, description, describedBy, describedWith } }: { clip: Clip }) {
  const { t } = useTranslation(['data', 'common']);
  const [typed, setTyped] = useState<string>();
  /** As it was before the last change. */
  const [before, setBefore] = useState<string>();
  const describe = useMutation(api.data.describe.mutationOptions({ onSuccess: showClip }));
  useUnsaved(typed !== undefined && typed !== description);
  const keep = (words: string, former: string | undefined) =>
    describe.mutate(
      { clip, description: words },
      {
        onSuccess: () => {
          setBefore(former);
          setTyped(undefined);
        },
      },
    );
  const leave = () => {
    describe.reset();
    setTyped(undefined);
  };
  if (typed !== undefined) {
    return (
      <DescriptionForm
        {...{ typed, isPending: describe.isPending, error: describe.error }}
        onType={setTyped}
        onSave={() => keep(typed.trim(), description)}
        onCancel={leave}
      />
    );
  }
  return (
    <Stack gap="xs" align="flex-start">
      <Spoiler maxHeight={LONG_PX} showLabel={t('data:description.more')} hideLabel={t('data:description.less')}>
        <Text size="sm" className={classes.whole}>
          {description}
        </Text>
      </Spoiler>
      <Text size="xs" c="var(--q-ink-2)">
        {describedBy === 'model' && describedWith !== null
          ? t('data:describedBy.by.named', { model: describedWith })
          : t(`data:describedBy.by.${describedBy}`)}{' '}
        {(describedBy === 'model' || describedBy === 'speech') && t('data:describedBy.correct')}
      </Text>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPencil size={15} stroke={1.6} aria-hidden />}
          onClick={() => setTyped(description)}
        >
          {t('data:description.edit')}
        </Button>
        {before !== undefined && (
          <Button size="xs" variant="default" loading={describe.isPending} onClick={() => keep(before, undefined)}>
            {t('data:description.undo')}
          </Button>
        )}
        <Text size="sm" c="var(--q-ink-2)" role="status">
          {before !== undefined && t('data:description.saved')}
        </Text>
      </Group>
      <ErrorNote error={describe.error} />
    </Stack>
  );
}

interface DescriptionFormProps {
  typed: string;
  isPending: boolean;
  error: unknown;
  onType: (words: string) => void;
  onSave: () => void;
  onCancel: () => void;
}

function DescriptionForm({ typed, isPending, error, onType, onSave, onCancel }: DescriptionFormProps) {
  const { t } = useTranslation(['data', 'common']);
  const [wasAsked, setAsked] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []); // who pressed «Edit» types at once
  const isEmpty = typed.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(isEmpty);
    if (isEmpty) field.current?.focus();
    else onSave();
  };
  const leave = (event: KeyboardEvent) => {
    event.stopPropagation(); // the sheet that it may stand in stays
    onCancel();
  };
  return (
    <form noValidate onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && leave(event)}>
      <Stack gap="sm">
        <Textarea
          ref={field}
          label={t('data:description.title')}
          description={t('data:description.means')}
          error={wasAsked && isEmpty && t('data:description.empty')}
          autosize
          minRows={4}
          maxRows={14}
          maxLength={MAX_CLIP_DESCRIPTION_CHARS}
          value={typed}
          onChange={(event) => onType(event.currentTarget.value)}
        />
        <ErrorNote error={error} />
        <Group gap="xs">
          <Button size="xs" type="submit" loading={isPending}>
            {t('common:action.save')}
          </Button>
          <Button size="xs" variant="default" onClick={onCancel}>
            {t('common:action.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
