import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Turn } from '../../../../src-preload/contract/conversations.ts';
import { useFeedbackOf } from '../feedback/use-answer-feedback.ts';
import classes from '../playground.module.css';
import { type RunningAnswer, useAnswers } from '../state/answers.ts';
import type { TurnActs } from './TurnActs.tsx';
import { TurnView } from './TurnView.tsx';

interface TurnLogProps {
  /** Whose turns these are; undefined before there is a conversation. */
  id: string | undefined;
  turns: Turn[];
  /** What can be done with turns; nothing while an answer comes. */
  acts: TurnActs | undefined;
}

/** The conversation so far. It follows the newest words as long as its end is in sight. */
export function TurnLog({ id, turns, acts }: TurnLogProps) {
  const { t } = useTranslation('playground');
  const running = useAnswers((answers) => (id ? answers.running[id] : undefined));
  const said = useFeedbackOf(turns);
  const shown = running ? [...turns, comingTurn(running)] : turns;
  const { log, content, end, atEnd, toEnd } = useFollowing();
  return (
    <div
      ref={log}
      className={classes.log}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and somebody may have no pointer
      tabIndex={0}
      role="log"
      aria-label={t('turns')}
      aria-busy={running !== undefined}
      aria-live={running ? 'off' : 'polite'}
    >
      <div ref={content} className={classes.turns}>
        {shown.map((turn, index) => (
          <TurnView
            key={turn.id}
            turn={turn}
            running={running && index === turns.length ? running : undefined}
            acts={acts}
            said={said}
            last={index === turns.length - 1}
          />
        ))}
        <div ref={end} className={classes.end} aria-hidden />
      </div>
      {!atEnd && (
        <div className={classes.toEnd}>
          <Button size="xs" variant="default" leftSection={<IconArrowDown size={14} aria-hidden />} onClick={toEnd}>
            {t('toEnd')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The place of the answer that is coming: it keeps it when it has come. */
function comingTurn({ turn = -1 }: RunningAnswer): Turn {
  return { id: turn, role: 'assistant', text: '', at: 0, answer: null };
}

/** Keeps the end in sight while the content grows, unless somebody has scrolled away from it. On a phone the whole page scrolls. */
function useFollowing() {
  const log = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const [atEnd, setAtEnd] = useState(true);
  const toEnd = () => end.current?.scrollIntoView({ block: 'end' });
  useEffect(() => {
    if (!log.current || !content.current || !end.current) return;
    const growth = new ResizeObserver(() => {
      if (follows.current) end.current?.scrollIntoView({ block: 'end' });
    });
    const sight = new IntersectionObserver(([seen]) => {
      follows.current = seen?.isIntersecting ?? true;
      setAtEnd(follows.current);
    });
    growth.observe(content.current);
    growth.observe(log.current);
    sight.observe(end.current);
    return () => {
      growth.disconnect();
      sight.disconnect();
    };
  }, []);
  return { log, content, end, atEnd, toEnd };
}
