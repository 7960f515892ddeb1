import { Button, NumberInput, Stack, TextInput } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DataState } from '../../../../src-preload/contract/data.ts';
import { MAX_MINED, MAX_TOPIC_CHARS } from '../../../../src-preload/contract/data-limits.ts';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { errorAt, errorBeside } from '../../../components/errors/field-error.ts';
import { Section } from '../../../components/Section.tsx';
import classes from '../data.module.css';
import { useSources } from '../use-data.ts';
import { fieldsOf, forgetOrderDraft, type OrderFields, useOrderDraft, wishOf } from './order-draft.ts';
import { SourceChoice } from './SourceChoice.tsx';

const FIELDS = ['topic', 'sources', 'most'] as const;

/** What is to be looked for, where, and how many. */
export function OrderForm({ order }: { order: DataState['order'] }) {
  const { t } = useTranslation('data');
  const sources = useSources();
  const draft = useOrderDraft();
  const fields = fieldsOf(draft, order, sources.data ?? []);
  const [wasAsked, setAsked] = useState(false);
  const mine = useMutation(api.data.mine.mutationOptions({ onSuccess: forgetOrderDraft }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wish = wishOf(fields);
    setAsked(wish === undefined);
    if (wish) mine.mutate(wish);
  };
  const faults = faultsOf(fields, wasAsked);
  const faultAt = (field: (typeof FIELDS)[number]) => (faults[field] && t(faults[field])) ?? errorAt(mine.error, field);
  return (
    <Section title={t('order.title')} description={t('order.means')}>
      <form noValidate onSubmit={submit}>
        <div className={classes.fields}>
          <Stack>
            <TextInput
              label={t('order.topic')}
              description={t('order.topicMeans')}
              placeholder={t('order.topicSample')}
              required
              withAsterisk={false}
              maxLength={MAX_TOPIC_CHARS}
              error={faultAt('topic')}
              value={fields.topic}
              onChange={(event) => useOrderDraft.setState({ topic: event.currentTarget.value })}
            />
            <NumberInput
              label={t('order.most')}
              description={t('order.mostMeans')}
              {...{ min: 1, max: MAX_MINED, step: 10, allowDecimal: false, clampBehavior: 'blur' as const }}
              thousandSeparator=" "
              error={faultAt('most')}
              value={fields.most}
              onChange={(most) => useOrderDraft.setState({ most })}
            />
          </Stack>
          <SourceChoice
            all={sources.data}
            chosen={fields.sources}
            error={faultAt('sources')}
            onChange={(chosen) => useOrderDraft.setState({ sources: chosen })}
          />
          <Button
            type="submit"
            leftSection={<IconPlayerPlay size={15} stroke={1.6} aria-hidden />}
            loading={mine.isPending}
          >
            {t('order.start')}
          </Button>
        </div>
        <ErrorNote error={errorBeside(mine.error, ...FIELDS)} />
        <ErrorNote error={sources.error} onRetry={() => void sources.refetch()} />
      </form>
    </Section>
  );
}

/** What is missing, by field, once the form was sent off. */
function faultsOf({ topic, sources, most }: OrderFields, wasAsked: boolean) {
  return {
    topic: wasAsked && topic.trim() === '' ? ('order.noTopic' as const) : undefined,
    sources: wasAsked && sources.length === 0 ? ('order.noSources' as const) : undefined,
    most: wasAsked && typeof most !== 'number' ? ('order.noMost' as const) : undefined,
  };
}
