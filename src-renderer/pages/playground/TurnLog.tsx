import { Box, Button, ScrollArea, Stack } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Turn } from '../../../src-preload/contract/conversations.ts';
import { AnswerInProgress } from './AnswerInProgress.tsx';
import type { RunningAnswer } from './answers.ts';
import { TurnView } from './TurnView.tsx';

interface TurnLogProps {
  turns: Turn[];
  running: RunningAnswer | undefined;
  onRegenerate: () => void;
}

/** Pixels from the end that still count as being there. */
const NEAR_END = 80;

/** The conversation so far. It follows the newest words as long as its end is in sight. */
export function TurnLog({ turns, running, onRegenerate }: TurnLogProps) {
  const { t } = useTranslation('playground');
  const viewport = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const toEnd = () => viewport.current?.scrollTo({ top: viewport.current.scrollHeight });

  useEffect(() => {
    if (atEnd) toEnd();
  }, [atEnd, turns.length, running?.text, running?.stage]);

  return (
    <Box pos="relative" flex={1} miw={0}>
      <ScrollArea
        h="100%"
        viewportRef={viewport}
        viewportProps={{ tabIndex: 0, 'aria-label': t('log') }}
        onScrollPositionChange={({ y }) => {
          const box = viewport.current;
          if (box) setAtEnd(box.scrollHeight - box.clientHeight - y < NEAR_END);
        }}
      >
        <Stack p="md" gap="lg" role="log" aria-busy={running !== undefined} aria-live={running ? 'off' : 'polite'}>
          {turns.map((turn, index) => (
            <TurnView
              key={turn.id}
              turn={turn}
              onRegenerate={!running && index === turns.length - 1 ? onRegenerate : undefined}
            />
          ))}
          {running && <AnswerInProgress answer={running} />}
        </Stack>
      </ScrollArea>
      {!atEnd && (
        <Button
          pos="absolute"
          bottom={12}
          left="50%"
          style={{ transform: 'translateX(-50%)' }}
          size="xs"
          variant="default"
          leftSection={<IconArrowDown size={14} aria-hidden />}
          onClick={toEnd}
        >
          {t('toEnd')}
        </Button>
      )}
    </Box>
  );
}
