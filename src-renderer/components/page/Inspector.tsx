import { Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './page.module.css';

interface InspectorProps {
  title: string;
  /** One line below the title. */
  description?: ReactNode;
  children: ReactNode;
}

/** Details of what is chosen, at the right of its list; below it on a phone. */
export function Inspector({ title, description, children }: InspectorProps) {
  const id = useId();
  return (
    <section className={classes.inspector} aria-labelledby={id}>
      <Title order={2} id={id}>
        {title}
      </Title>
      {description && <Text c="var(--q-ink-2)">{description}</Text>}
      {children}
    </section>
  );
}

/** A part of an inspector, below a line. */
export function Block({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <div className={classes.block}>
      {title && (
        <Title order={3} mb={8}>
          {title}
        </Title>
      )}
      {children}
    </div>
  );
}

/** Names at the left, values at the right. A value that is not known has no row. */
export function Facts({ facts }: { facts: readonly (readonly [name: ReactNode, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter(([, value]) => value !== undefined && value !== null && value !== false)
        .map(([name, value], place) => (
          <Fact key={place} name={name} value={value} />
        ))}
    </dl>
  );
}

function Fact({ name, value }: { name: ReactNode; value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
