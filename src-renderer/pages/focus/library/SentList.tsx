import { List, Text } from '@mantine/core';
import { IconLock, IconSend } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { useFormat } from '../../../i18n/format.ts';

/** What of a recording left this computer: when, what, how much, and to whom. */
export function SentList({ recording }: { recording: string }) {
  const { t } = useTranslation('focus');
  const format = useFormat();
  const { data, error } = useAnswer(api.focus.sent.queryOptions({ input: { recording } }));
  if (error) return <ErrorNote error={error} />;
  if (!data) return null;
  if (data.length === 0) {
    return (
      <Text size="sm">
        <IconLock size={15} stroke={1.6} aria-hidden style={{ verticalAlign: -2, marginRight: 6 }} />
        {t('sent.nothing')}
      </Text>
    );
  }
  return (
    <List size="sm" spacing={8} listStyleType="none" pl={0} aria-label={t('sent.title')}>
      {data.map(({ at, what, bytes, to, by }, place) => (
        <List.Item key={place} icon={<IconSend size={15} stroke={1.6} aria-hidden />}>
          {t(`sent.what.${what}`)}, {format.bytes(bytes)}
          <Text size="xs" c="var(--q-ink-2)" style={{ overflowWrap: 'anywhere' }}>
            {format.time(at)} · {to} · {t(`sent.by.${by}`)}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}
