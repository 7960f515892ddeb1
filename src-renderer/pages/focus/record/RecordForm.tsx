import { Button, Group, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { IconPlayerRecordFilled } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FocusRoom } from '../../../../src-preload/contract/focus.ts';
import { MAX_TASK_DESCRIPTION_CHARS, MAX_TASK_TITLE_CHARS } from '../../../../src-preload/contract/focus-limits.ts';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useRecording } from '../../../state/recording.ts';
import { record } from '../recording/record.ts';
import { ChosenTask } from './ChosenTask.tsx';
import { changeDraft, choiceOf, clearDraft, hasFixedWords, useDraft } from './draft.ts';
import { TaskPicker } from './TaskPicker.tsx';
import classes from './tasks.module.css';

/** The task first; then the browser asks what of the screen is shared. */
export function RecordForm({ room }: { room: FocusRoom | undefined }) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  const { title, description, microphone, system, task } = useDraft();
  const isFixed = hasFixedWords(task);
  const titleField = useRef<HTMLInputElement>(null);
  const [wasAsked, setAsked] = useState(false);
  const hasTitle = title.trim() !== '';
  const begin = async () => {
    setAsked(!hasTitle);
    if (!hasTitle) return titleField.current?.focus();
    const sound = { microphone, system };
    await record({ title: title.trim(), description: description.trim(), sound, task: choiceOf(task) });
    if (useRecording.getState().now) clearDraft();
  };
  return (
    <Section title={t('new.title')} description={t('new.privacy')}>
      <form
        noValidate // the browser's own words may be in another language
        onSubmit={(event) => {
          event.preventDefault();
          void begin();
        }}
      >
        <div className={classes.columns}>
          <Stack>
            <TextInput
              label={t('new.task')}
              readOnly={isFixed}
              variant={isFixed ? 'filled' : 'default'}
              placeholder={t('new.taskExample')}
              required
              ref={titleField}
              error={wasAsked && !hasTitle && t('new.noTask')}
              maxLength={MAX_TASK_TITLE_CHARS}
              value={title}
              onChange={(event) => changeDraft({ title: event.currentTarget.value })}
            />
            {task && <ChosenTask task={task} />}
            <Textarea
              label={t('new.description')}
              description={isFixed ? undefined : t('new.descriptionHint')}
              readOnly={isFixed}
              variant={isFixed ? 'filled' : 'default'}
              autosize
              minRows={2}
              maxRows={8}
              maxLength={MAX_TASK_DESCRIPTION_CHARS}
              value={description}
              onChange={(event) => changeDraft({ description: event.currentTarget.value })}
            />
          </Stack>
          <TaskPicker />
          <Stack>
            <Switch
              label={t('new.microphone')}
              checked={microphone}
              onChange={(event) => changeDraft({ microphone: event.currentTarget.checked })}
            />
            <Switch
              label={t('new.system')}
              checked={system}
              onChange={(event) => changeDraft({ system: event.currentTarget.checked })}
            />
            <Group>
              <Button type="submit" leftSection={<IconPlayerRecordFilled size={15} aria-hidden />}>
                {t('new.begin')}
              </Button>
              <Text size="sm" c="var(--q-ink-2)">
                {t('new.bounds')}
              </Text>
            </Group>
            {room && (
              <Text size="sm" c="var(--q-ink-2)">
                {t('room', { used: format.bytes(room.bytes), budget: format.bytes(room.budgetBytes) })}
              </Text>
            )}
          </Stack>
        </div>
      </form>
    </Section>
  );
}
