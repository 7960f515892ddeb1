import { Button, NativeSelect, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../../api/client.ts';
import { useLive } from '../../../api/live.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Section } from '../../../components/Section.tsx';
import { stateColours } from '../../../components/state.ts';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../settings.module.css';
import { addLines, fromLevel, LOG_LEVELS, type LogLevel, type LogLine } from './log-lines.ts';

const STATES = { debug: 'idle', info: 'wait', warn: 'pause', error: 'error' } as const;
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
    <Section
      title={t('log.title')}
      aside={
        <>
          <NativeSelect
            aria-label={t('log.level')}
            data={LOG_LEVELS.map((value) => ({ value, label: t(`log.from.${value}`) }))}
            value={level}
            onChange={(event) => setLevel(event.currentTarget.value as LogLevel)}
          />
          <Button
            variant="default"
            leftSection={paused ? <IconPlayerPlay size={15} aria-hidden /> : <IconPlayerPause size={15} aria-hidden />}
            onClick={() => setFrozen(paused ? undefined : lines)}
          >
            {t(paused ? 'log.goOn' : 'log.pause')}
          </Button>
        </>
      }
    >
      <ErrorNote error={error} />
      <LogView lines={shown} follow={!paused} />
    </Section>
  );
}

function LogView({ lines, follow }: { lines: LogLine[]; follow: boolean }) {
  const { t } = useTranslation('settings');
  const view = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (follow && lines.length > 0) view.current?.scrollTo({ top: view.current.scrollHeight });
  }, [lines, follow]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
    <div ref={view} className={classes.log} tabIndex={0} role="log" aria-live="off" aria-label={t('log.title')}>
      {lines.length === 0 && (
        <Text size="sm" c="dimmed" py={4}>
          {t('log.empty')}
        </Text>
      )}
      {lines.map((line) => (
        <Line key={line.id} line={line} />
      ))}
    </div>
  );
}

function Line({ line: { level, at, text, details } }: { line: LogLine }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  return (
    <div className={classes.line}>
      <span className={classes.at}>{at === undefined ? '' : format.clock(at)}</span>
      <span className={classes.level} style={stateColours(STATES[level])}>
        {t(`log.one.${level}`)}
      </span>
      <span>{text}</span>
      {details && (
        <span className={classes.details} title={details}>
          {details}
        </span>
      )}
    </div>
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
