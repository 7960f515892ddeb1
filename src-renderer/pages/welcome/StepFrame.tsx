import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './welcome.module.css';

interface StepFrameProps {
  title: string;
  /** A sentence or two below the title. */
  intro: string;
  children: ReactNode;
  onBack: (() => void) | undefined;
  /** The buttons that lead on. */
  actions: ReactNode;
}

/** A step of the welcome: its heading, which takes the focus, its content, and the way back and on, which is always in view. */
export function StepFrame({ title, intro, children, onBack, actions }: StepFrameProps) {
  const { t } = useTranslation('welcome');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  return (
    <div className={classes.step}>
      <div className={classes.body}>
        <div>
          <h1 ref={heading} className={classes.title} tabIndex={-1}>
            {title}
          </h1>
          <p className={classes.intro}>{intro}</p>
        </div>
        {children}
      </div>
      <div className={classes.foot}>
        {onBack ? (
          <Button
            variant="subtle"
            color="gray"
            c="var(--q-ink-2)"
            ml={-12}
            leftSection={<IconArrowLeft size={15} aria-hidden />}
            onClick={onBack}
          >
            {t('back')}
          </Button>
        ) : (
          <span />
        )}
        {actions}
      </div>
    </div>
  );
}
