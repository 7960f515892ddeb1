import type { ReactNode } from 'react';
import { Section } from '../../../components/Section.tsx';
import { SettingField } from '../../../components/setting-field/SettingField.tsx';
import classes from '../settings.module.css';
import { FIELDS } from './layout.ts';

/** The settings of a section, in their order. */
export function Fields({ of }: { of: keyof typeof FIELDS }) {
  return FIELDS[of].map((path) => <SettingField key={path} path={path} />);
}

interface FormSectionProps {
  title: string;
  /** One or two sentences below the title. */
  help?: string;
  aside?: ReactNode;
  children: ReactNode;
}

/** Fields that belong together, in one column. */
export function FormSection({ title, help, aside, children }: FormSectionProps) {
  return (
    <Section title={title} description={help} aside={aside}>
      <div className={classes.form}>{children}</div>
    </Section>
  );
}
