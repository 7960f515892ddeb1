import { Badge, Box, Button, Group, NativeSelect, Paper, ScrollArea, Text, Title } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../api/client.ts';
import { useLive } from '../../api/live.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { useFormat } from '../../i18n/format.ts';
import { addLines, fromLevel, LOG_LEVELS, type LogLevel, type LogLine } from './log-lines.ts';

const COLOURS = { debug: 'gray', info: 'blue', warn: 'yellow', error: 'red' } as const;
/** Lines that are drawn; more of them make the page slow. */
const DRAWN_LINES = 300;

/** The node's log as it grows. */
export function LogTail() {
  const { t } = useTranslation('settings');
  const { lines, error } = useLog();
  const [frozen, setFrozen] = useState<LogLine[]>();
  const [level, setLevel] = useState<LogLevel>('info');
  const paused = frozen !== undefined;
  const shown = fromLevel(frozen ?? lines, level).slice(-DRAWN_LINES);
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('log.title')}>
      <Group justify="space-between" align="flex-end">
        <Title order={3} size="h5">
          {t('log.title')}
        </Title>
        <Group align="flex-end" gap="sm">
          <NativeSelect
            aria-label={t('log.level')}
            data={LOG_LEVELS.map((value) => ({ value, label: t(`log.from.${value}`) }))}
            value={level}
            onChange={(event) => setLevel(event.currentTarget.value as LogLevel)}
          />
          <Button
            variant="default"
            leftSection={paused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
            onClick={() => setFrozen(paused ? undefined : lines)}
          >
            {t(paused ? 'log.goOn' : 'log.pause')}
          </Button>
        </Group>
      </Group>
      <ErrorNote error={error} />
      <LogView lines={shown} follow={!paused} />
    </Paper>
  );
}

function LogView({ lines, follow }: { lines: LogLine[]; follow: boolean }) {
  const { t } = useTranslation('settings');
  const view = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (follow && lines.length > 0) view.current?.scrollTo({ top: view.current.scrollHeight });
  }, [lines, follow]);
  return (
    <ScrollArea.Autosize
      mah={420}
      mt="md"
      viewportRef={view}
      viewportProps={{ tabIndex: 0, role: 'log', 'aria-live': 'off', 'aria-label': t('log.title') }}
    >
      {lines.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('log.empty')}
        </Text>
      )}
      {lines.map((line) => (
        <Line key={line.id} line={line} />
      ))}
    </ScrollArea.Autosize>
  );
}

function Line({ line: { level, at, text, details } }: { line: LogLine }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" py={3}>
      <Text size="xs" c="dimmed" ff="monospace" style={{ whiteSpace: 'nowrap' }} lh="20px">
        {at === undefined ? '' : format.clock(at)}
      </Text>
      <Badge size="sm" variant="light" color={COLOURS[level]} miw={72} style={{ flexShrink: 0 }}>
        {t(`log.one.${level}`)}
      </Badge>
      <Box miw={0}>
        <Text size="sm">{text}</Text>
        {details && (
          <Text size="xs" c="dimmed" ff="monospace" lineClamp={4} title={details} style={{ overflowWrap: 'anywhere' }}>
            {details}
          </Text>
        )}
      </Box>
    </Group>
  );
}

/** The end of the node's log as it grows. */
function useLog() {
  const [lines, setLines] = useState<LogLine[]>([]);
  /** Each stream begins with the end of the log: what was there before a lost connection comes again. */
  const begins = useRef(true);
  const error = useLive(
    (signal) => {
      begins.current = true;
      return client.node.watchLog(undefined, { signal });
    },
    (more) => {
      const anew = begins.current;
      begins.current = false;
      setLines((before) => addLines(anew ? [] : before, more));
    },
  );
  return { lines, error };
}
