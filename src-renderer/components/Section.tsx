import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { onWantedSection } from '../state/wanted.ts';
import classes from './section.module.css';

interface SectionProps {
  title: string;
  /** Beside the title: what the section counts, a legend. */
  beside?: ReactNode;
  /** At the right: a switch, a link, a button. */
  aside?: ReactNode;
  /** One or two sentences below the title. */
  description?: ReactNode;
  children: ReactNode;
}

/** A part of a page: a heading, and what belongs to it. Space and a line divide it from the one above; it has no frame. */
export function Section({ title, beside, aside, description, children }: SectionProps) {
  const id = useId();
  const element = useRef<HTMLElement>(null);
  useEffect(() => onWantedSection(title, () => element.current?.scrollIntoView({ block: 'start' })), [title]);
  return (
    <section ref={element} className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {beside}
        {aside && <div className={classes.aside}>{aside}</div>}
      </div>
      {description && <p className={classes.description}>{description}</p>}
      {children}
    </section>
  );
}

/** Two sections beside each other; below each other on a phone. */
export function SectionPair({ children }: { children: ReactNode }) {
  return <div className={classes.columns}>{children}</div>;
}
